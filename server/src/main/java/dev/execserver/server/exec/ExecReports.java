package dev.execserver.server.exec;

import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.process.ExecDecidedNotification;
import dev.execserver.protocol.process.ExecEndedNotification;
import dev.execserver.protocol.process.ExecPolicyParams.Report;
import dev.execserver.protocol.process.ExecutedProgram;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.ArgumentStyle;
import dev.execserver.server.access.ProcessTrail;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Reports the decisions about one command to its client, numbered. Any thread; {@code lock} keeps the order of numbers. */
final class ExecReports {
    /** Bytes of the arguments in one report; the queue of reports is bounded by their number. */
    static final int MAX_ARGUMENT_BYTES = 4 * 1024;

    static final String BY_RULE = "rule";
    static final String BY_FALLBACK = "fallback";
    static final String BY_HEURISTICS = "heuristics";
    static final String BY_CLIENT = "client";
    static final String BY_APPROVER = "approver";
    static final String BY_REMEMBERED = "remembered";
    static final String BY_TIMEOUT = "timeout";
    static final String BY_FLOOR = "floor";
    static final String BY_CHANGED = "changed";

    private final ReentrantLock lock = new ReentrantLock();
    private final String processId;
    private final Report wanted;
    private final ApprovalClient client;
    private final ProcessTrail trail;
    private long seq;

    ExecReports(String processId, Report wanted, ApprovalClient client, ProcessTrail trail) {
        this.trail = trail;
        this.processId = processId;
        this.wanted = wanted;
        this.client = client;
    }

    void decided(long execId, AskedProgram program, Outcome outcome) {
        boolean plain = outcome.decision() == Decision.RUN
                && List.of(BY_RULE, BY_FALLBACK, BY_HEURISTICS).contains(outcome.by());
        if (!plain) {
            trail.write(AccessKind.EXEC_DECIDED, event -> describe(event, program, outcome));
        }
        if (wanted == Report.NONE || (wanted == Report.DECISIONS && plain)) {
            return;
        }
        boolean truncated = program.argumentBytes() > MAX_ARGUMENT_BYTES;
        lock.lock();
        try {
            client.report(
                    ProcessMethodNames.EXEC_DECIDED,
                    new ExecDecidedNotification(
                            processId,
                            ++seq,
                            execId,
                            program.described(MAX_ARGUMENT_BYTES),
                            truncated,
                            outcome.decision(),
                            outcome.by(),
                            outcome.rule(),
                            System.currentTimeMillis()));
        } finally {
            lock.unlock();
        }
    }

    /** Describes a decision for the access log, which has no line for programs that simply run: they are too many. */
    private void describe(AccessEvent event, AskedProgram program, Outcome outcome) {
        ExecutedProgram executed = program.described(MAX_ARGUMENT_BYTES);
        ArgumentStyle arguments = trail.log().arguments();
        arguments.put(event, executed.argv());
        if (arguments != ArgumentStyle.NONE) {
            event.put(AccessField.EXECUTABLE_PATH, executed.program().display());
        }
        event.put(AccessField.PID, executed.pid())
                .put(AccessField.DECISION, outcome.decision().name().toLowerCase(Locale.ROOT))
                .put(AccessField.DECIDED_BY, outcome.by())
                .put(AccessField.APPROVER, outcome.approver())
                .put(AccessField.RULE, outcome.rule());
        if (outcome.decision() == Decision.DENY) {
            event.warning();
        }
    }

    void ended(long execId, int exitCode) {
        if (wanted == Report.NONE) {
            return;
        }
        lock.lock();
        try {
            client.report(ProcessMethodNames.EXEC_ENDED, new ExecEndedNotification(processId, ++seq, execId, exitCode));
        } finally {
            lock.unlock();
        }
    }

    /**
     * A decision that is carried out.
     *
     * @param approver the right by which an approver has decided
     * @param words line for the standard error of a program that does not run
     */
    record Outcome(Decision decision, String by, Optional<String> approver, Optional<String> rule, String words) {
        /** Describes a decision that no approver has made. */
        Outcome(Decision decision, String by, Optional<String> rule, String words) {
            this(decision, by, Optional.empty(), rule, words);
        }
    }
}
