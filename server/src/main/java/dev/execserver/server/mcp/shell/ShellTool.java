package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.mcp.OpenCall;
import dev.execserver.server.memory.MemoryBudget;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Runs one command for a call and waits for its end. The thread of the call uses it; no state. */
final class ShellTool {
    /** Time for which a read waits; it begins again then. */
    private static final long READ_MS = 60_000;

    private final Commands commands;
    private final MemoryBudget memory;
    private final ToolForm form;

    ShellTool(Commands commands, MemoryBudget memory, ToolForm form) {
        this.commands = commands;
        this.memory = memory;
        this.form = form;
    }

    /** Events of a command as far as they were read. */
    private static final class Progress {
        private final CommandOutput output;
        private final ProgressReport report;
        private long cursor;
        private Optional<ReadResult> end = Optional.empty();

        Progress(CommandOutput output, ProgressReport report) {
            this.output = output;
            this.report = report;
        }

        void take(ReadResult read) {
            read.chunks().forEach(output::add);
            read.chunks().forEach(report::add);
            cursor = read.nextSeq() - 1;
            if (read.closed()) {
                end = Optional.of(read);
            }
        }
    }

    ShellResult run(CommandSpec spec, ClientRoots roots, OpenCall call) throws InterruptedException {
        long started = System.nanoTime();
        if (spec.timeoutMs().equals(OptionalLong.of(0))) {
            return new ShellResult(ShellResult.TIMED_OUT, "", "", "", 0, true, false, false, Duration.ZERO);
        }
        RunningCommand command = commands.start(spec, roots.current(), call);
        try (CommandOutput output = form.output(memory)) {
            ReadResult end = follow(command, new Progress(output, new ProgressReport(call)), call);
            output.finish();
            boolean timedOut = end.reason().filter("timeout"::equals).isPresent();
            return new ShellResult(
                    timedOut ? ShellResult.TIMED_OUT : end.exitCode().orElse(0),
                    output.both(),
                    output.stdout(),
                    output.stderr(),
                    output.omitted(),
                    timedOut,
                    command.process().signaled(),
                    end.sandboxDenied(),
                    Duration.ofNanos(System.nanoTime() - started));
        } finally {
            commands.drop(command);
        }
    }

    private static ReadResult follow(RunningCommand command, Progress progress, OpenCall call)
            throws InterruptedException {
        while (progress.end.isEmpty()) {
            long early = progress.report.tell();
            command.read(progress.cursor, early > 0 ? early : READ_MS, call::cancelled, progress::take);
            if (progress.end.isEmpty() && command.forgotten()) {
                throw RpcException.internal("the command was ended with its session");
            }
        }
        return progress.end.get();
    }
}
