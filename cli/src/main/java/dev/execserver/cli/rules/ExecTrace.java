package dev.execserver.cli.rules;

import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.process.ExecDecidedNotification;
import dev.execserver.protocol.process.ExecEndedNotification;
import dev.execserver.protocol.process.ExecReport;
import dev.execserver.protocol.process.ExecutedProgram;
import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.protocol.text.VisibleText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Collects the reports about the programs of one command and shows them as a tree, in the order of their begin. The reader thread
 * of the connection adds, the main thread shows; {@code lock} guards the fields.
 */
public final class ExecTrace {
    /** Programs that are shown; the number of the others is told. */
    static final int MAX_PROGRAMS = 10_000;

    private static final double MILLIS = 1000.0;
    private static final int DENIED = 126;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Entry> entries = new ArrayList<>();
    private final Map<Long, Integer> ends = new HashMap<>();
    private final Map<Long, Integer> depths = new HashMap<>();
    private long left;

    private record Entry(int depth, ExecDecidedNotification report) {}

    public void add(ExecReport report) {
        lock.lock();
        try {
            switch (report) {
                case ExecDecidedNotification decided -> add(decided);
                case ExecEndedNotification ended -> ends.put(ended.execId(), ended.exitCode());
            }
        } finally {
            lock.unlock();
        }
    }

    private void add(ExecDecidedNotification decided) {
        if (entries.size() == MAX_PROGRAMS) {
            left++;
            return;
        }
        int depth = depth(decided.executed());
        decided.executed().pid().ifPresent(pid -> depths.put(pid, depth));
        entries.add(new Entry(depth, decided));
    }

    /** A process that becomes another program stays where it is; one that is new stands below its parent. */
    private int depth(ExecutedProgram program) {
        OptionalLong pid = program.pid();
        if (pid.isEmpty()) {
            return 0;
        }
        Integer own = depths.get(pid.getAsLong());
        return own != null ? own : 1 + depths.getOrDefault(program.parentPid().orElse(-1), 0);
    }

    /** Returns one line for each program: seconds since the first, the arguments, and what became of it. */
    public List<String> lines() {
        lock.lock();
        try {
            long begin = entries.isEmpty() ? 0 : entries.getFirst().report().atMs();
            List<String> lines = new ArrayList<>();
            entries.forEach(entry -> lines.add(line(entry, begin)));
            if (left > 0) {
                lines.add(left + " more");
            }
            return lines;
        } finally {
            lock.unlock();
        }
    }

    private String line(Entry entry, long begin) {
        ExecDecidedNotification report = entry.report();
        StringBuilder line = new StringBuilder("%8.3f ".formatted((report.atMs() - begin) / MILLIS))
                .append("  ".repeat(entry.depth()))
                .append(report.executed().program().display());
        report.executed().argv().stream()
                .skip(1)
                .forEach(word -> line.append(' ').append(SurrogateEscapedText.shown(word)));
        if (report.truncated()) {
            line.append(" ...");
        }
        if (report.decision() != Decision.RUN) {
            line.append("  [").append(outcome(report)).append(']');
        }
        return VisibleText.line(line.toString());
    }

    private String outcome(ExecDecidedNotification report) {
        String word = report.decision().name().toLowerCase(Locale.ROOT) + " by "
                + report.rule().map(rule -> report.by() + " " + rule).orElse(report.by());
        if (report.decision() == Decision.DENY) {
            return word + ", exit " + DENIED;
        }
        Integer code = ends.get(report.execId());
        return code == null ? word : word + ", exit " + code;
    }
}
