package dev.execserver.server.process.wait;

import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.process.WaitCondition;
import dev.execserver.protocol.process.WaitParams;
import dev.execserver.protocol.process.WaitResult;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.process.output.LogView;
import dev.execserver.server.process.output.LogView.Look;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One {@code process/wait}. Used by one request thread; the constructor runs on the reader thread. */
public final class ProcessWait {

    /** Time between two looks at the ports, and longest time between two questions whether the client is still there. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Output that is searched in one step. */
    private static final long STEP_BYTES = 64 * 1024L;

    private final ManagedProcess process;
    private final LogView output;
    private final WaitParams params;
    private final FileWorkers files;
    private final Optional<OutputSearch> search;
    private long cursor;
    private long position = -1;
    private long skippedBytes;
    private boolean searchedAll;
    private OptionalLong matchSeq = OptionalLong.empty();
    private Optional<String> match = Optional.empty();

    /**
     * @param files read the tables of ports
     * @throws dev.execserver.protocol.rpc.RpcException -32602 for a regular expression that is none
     */
    public ProcessWait(ManagedProcess process, WaitParams params, FileWorkers files) {
        this.process = process;
        this.output = process.observed();
        this.params = params;
        this.files = files;
        this.cursor = params.afterSeq();
        this.search = switch (params.until()) {
            case WaitCondition.OutputText(String text) -> Optional.of(OutputSearch.text(text));
            case WaitCondition.OutputRegex(String regex) -> Optional.of(OutputSearch.regex(regex));
            case WaitCondition.Exit _, WaitCondition.Closed _, WaitCondition.Idle _, WaitCondition.Port _ ->
                Optional.empty();
        };
    }

    /** Waits until the condition is true or cannot come true, or the time is over, or nobody waits for the answer. */
    public WaitResult run(AnswerMemory memory, BooleanSupplier cancelled) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(params.limitMs());
        BooleanSupplier leave = () -> end - System.nanoTime() <= 0 || cancelled.getAsBoolean();
        while (true) {
            ProcessInfo state = process.describe();
            if (met(state, memory, leave)) {
                return result(true, process.describe());
            }
            if (over(state) || leave.getAsBoolean()) {
                return result(false, process.describe());
            }
            pause(Math.max(1, end - System.nanoTime()), cancelled);
        }
    }

    /** Returns true if the condition holds. */
    private boolean met(ProcessInfo state, AnswerMemory memory, BooleanSupplier leave) {
        return switch (params.until()) {
            case WaitCondition.Exit() -> state.exited();
            case WaitCondition.Closed() -> state.closed();
            case WaitCondition.Idle(long milliseconds) -> !state.exited() && process.silentMs() >= milliseconds;
            case WaitCondition.Port(int number) ->
                process.programPid()
                        .map(pid -> files.call(() -> ListeningPorts.listens(pid, number)))
                        .orElse(false);
            case WaitCondition.OutputText _, WaitCondition.OutputRegex _ -> found(state, memory, leave);
        };
    }

    /** Returns true if the condition cannot come true any more. What it looked at was read after this state. */
    private boolean over(ProcessInfo state) {
        return switch (params.until()) {
            case WaitCondition.Exit _, WaitCondition.Closed _ -> output.over();
            case WaitCondition.Idle _, WaitCondition.Port _ -> state.exited() || output.over();
            case WaitCondition.OutputText _, WaitCondition.OutputRegex _ -> searchedAll;
        };
    }

    private void pause(long left, BooleanSupplier cancelled) throws InterruptedException {
        long slice = Math.min(left, LOOK_NANOS);
        switch (params.until()) {
            case WaitCondition.OutputText _, WaitCondition.OutputRegex _ -> {
                long _ = output.await(cursor, left, cancelled);
            }
            case WaitCondition.Exit _ -> {
                boolean _ = process.lifecycle().awaitExited(Math.min(left, LOOK_NANOS * 5));
            }
            case WaitCondition.Closed _ -> {
                boolean _ = process.lifecycle().awaitClosed(Math.min(left, LOOK_NANOS * 5));
            }
            case WaitCondition.Idle(long milliseconds) -> {
                long still = TimeUnit.MILLISECONDS.toNanos(Math.max(1, milliseconds - process.silentMs()));
                boolean _ = process.lifecycle().awaitExited(Math.min(slice, still));
            }
            case WaitCondition.Port _ -> {
                boolean _ = process.lifecycle().awaitExited(slice);
            }
        }
    }

    /** Searches the output behind the cursor, at least one step of it. */
    private boolean found(ProcessInfo state, AnswerMemory memory, BooleanSupplier leave) {
        OutputSearch wanted = search.orElseThrow();
        boolean complete = state.closed() || output.over();
        while (cursor < output.lastSeq()) {
            Look look = output.lookAtOnce(cursor, STEP_BYTES, memory);
            passOver(look, wanted);
            boolean found = matched(wanted.next(look.output().chunks(), leave));
            memory.release();
            if (found || leave.getAsBoolean()) {
                return found;
            }
            cursor = look.output().nextSeq() - 1;
        }
        searchedAll = complete;
        return complete && matched(wanted.end());
    }

    /** Counts what is missing before this look. */
    private void passOver(Look look, OutputSearch wanted) {
        boolean begun = position >= 0 || params.afterSeq() == 0;
        long missing = begun ? look.offset() - Math.max(0, position) : 0;
        if (missing > 0) {
            skippedBytes += missing;
            wanted.forget();
        }
        position = look.endOffset();
    }

    private boolean matched(Optional<OutputSearch.Found> found) {
        match = found.map(OutputSearch.Found::text);
        matchSeq = found.map(at -> OptionalLong.of(at.seq())).orElse(OptionalLong.empty());
        return found.isPresent();
    }

    private WaitResult result(boolean met, ProcessInfo state) {
        return new WaitResult(
                met,
                state.exited(),
                state.exitCode(),
                state.closed(),
                match,
                matchSeq,
                skippedBytes > 0 ? OptionalLong.of(skippedBytes) : OptionalLong.empty());
    }
}
