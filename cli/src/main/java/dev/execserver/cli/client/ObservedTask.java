package dev.execserver.cli.client;

import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.process.ProcessEvent;
import dev.execserver.client.session.ProcessObserver;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Process of another client, as one who only looks: its output and its end come as events, and nothing goes to it. One thread takes events;
 * any thread may end them.
 */
final class ObservedTask implements RemoteTask {
    /** Longest time after which an end that was asked for is seen. */
    private static final Duration LOOK = Duration.ofMillis(500);

    private static final byte CTRL_C = 3;
    private static final byte CTRL_BRACKET = 0x1d;

    private final String id;
    private final RemoteSight sight;
    private final Deque<ProcessEvent> ready = new ArrayDeque<>();
    private volatile Runnable leave = () -> {};
    private volatile boolean left;
    private boolean first = true;
    private boolean exited;
    private boolean closed;

    ObservedTask(String id, RemoteSight sight) {
        this.id = id;
        this.sight = sight;
    }

    /** Sets what these keys do: there is no program here that they could reach. */
    void whenInterrupted(Runnable work) {
        leave = work;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public Optional<ProcessEvent> nextEvent() throws InterruptedException {
        while (ready.isEmpty() && !closed && !left) {
            try {
                take(sight.next(LOOK));
            } catch (RequestFailedException e) {
                closed = true; // its client has ended the session
                ready.add(new ProcessEvent.Lost(e.serverMessage(), true));
            }
        }
        return left ? Optional.empty() : Optional.ofNullable(ready.poll());
    }

    private void take(ProcessObserver.Sight seen) {
        ReadResult output = seen.output();
        if (seen.skippedBytes() > 0 && !first) {
            ready.add(new ProcessEvent.Gap(0, 0, OptionalLong.of(seen.skippedBytes())));
        }
        first = false;
        for (OutputChunk chunk : output.chunks()) {
            ready.add(new ProcessEvent.Output(chunk));
        }
        if (output.exited() && !exited) {
            exited = true;
            ready.add(new ProcessEvent.Exited(
                    output.nextSeq(), output.exitCode().orElse(0), output.sandboxDenied(), output.reason()));
        }
        if (output.closed()) {
            closed = true;
            ready.add(new ProcessEvent.Closed(Optional.empty()));
        }
    }

    /** Takes typed keys: all are dropped, but Ctrl-C and Ctrl-] leave. */
    @Override
    public void write(byte[] bytes) {
        for (byte key : bytes) {
            if (key == CTRL_C || key == CTRL_BRACKET) {
                leave.run();
            }
        }
    }

    @Override
    public void closeStdin() {
        // The input of the process is not ours.
    }

    @Override
    public void resize(WindowSize size) {
        // Its terminal has the size that its own client has given.
    }

    @Override
    public void signal(String name) {
        leave.run();
    }

    @Override
    public void terminate() {
        leave.run();
    }

    @Override
    public void detach() {
        left = true;
    }
}
