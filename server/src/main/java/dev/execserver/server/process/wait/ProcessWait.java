package dev.execserver.server.process.wait;

import dev.execserver.protocol.process.OutputChunk;
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
        long left = TimeUnit.MILLISECONDS.toNanos(params.limitMs());
        long before = System.nanoTime();
        while (true) {
            ProcessInfo state = process.describe();
            if (met(state, memory)) {
                return result(true, process.describe());
            }
            if (over(state) || left <= 0 || cancelled.getAsBoolean()) {
                return result(false, process.describe());
            }
            pause(left, cancelled);
            long now = System.nanoTime();
            left -= now - before;
            before = now;
        }
    }

    /** Returns true if the condition holds. */
    private boolean met(ProcessInfo state, AnswerMemory memory) {
        return switch (params.until()) {
            case WaitCondition.Exit() -> state.exited();
            case WaitCondition.Closed() -> state.closed();
            case WaitCondition.Idle(long milliseconds) -> !state.exited() && process.silentMs() >= milliseconds;
            case WaitCondition.Port(int number) ->
                process.programPid()
                        .map(pid -> files.call(() -> ListeningPorts.listens(pid, number)))
                        .orElse(false);
            case WaitCondition.OutputText _, WaitCondition.OutputRegex _ -> found(memory);
        };
    }

    /** Returns true if the condition cannot come true any more. What it looked at was read after this state. */
    private boolean over(ProcessInfo state) {
        return switch (params.until()) {
            case WaitCondition.Exit _, WaitCondition.Closed _ -> output.over();
            case WaitCondition.Idle _, WaitCondition.Port _ -> state.exited() || output.over();
            case WaitCondition.OutputText _, WaitCondition.OutputRegex _ ->
                (state.closed() || output.over()) && cursor >= output.lastSeq();
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

    /** Searches the output behind the cursor. Another thread may run between two steps. */
    private boolean found(AnswerMemory memory) {
        while (cursor < output.lastSeq()) {
            Look look = output.lookAtOnce(cursor, STEP_BYTES, memory);
            if (position >= 0 || params.afterSeq() == 0) {
                skippedBytes += Math.max(0, look.offset() - Math.max(0, position));
            }
            position = look.endOffset();
            for (OutputChunk chunk : look.output().chunks()) {
                match = search.orElseThrow().next(chunk);
                if (match.isPresent()) {
                    matchSeq = OptionalLong.of(chunk.seq());
                    memory.release();
                    return true;
                }
            }
            cursor = look.output().nextSeq() - 1;
            memory.release();
            Thread.yield();
        }
        return false;
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
