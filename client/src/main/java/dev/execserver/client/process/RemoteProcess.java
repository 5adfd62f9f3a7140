package dev.execserver.client.process;

import dev.execserver.client.error.StaleHandleException;
import dev.execserver.client.error.StdinClosedException;
import dev.execserver.protocol.process.CloseStdinParams;
import dev.execserver.protocol.process.ResizeParams;
import dev.execserver.protocol.process.SandboxType;
import dev.execserver.protocol.process.SignalParams;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.protocol.process.TerminalSize;
import dev.execserver.protocol.process.TerminateParams;
import dev.execserver.protocol.process.WaitCondition;
import dev.execserver.protocol.process.WaitParams;
import dev.execserver.protocol.process.WaitResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Process on the server. Thread-safe.
 *
 * <p><b>Output</b> is consumed in one of three ways; the first use decides: as events ({@link #nextEvent},
 * {@link #forEachEvent}), as streams ({@link #stdout}, {@link #stderr}), or not at all ({@link #discardOutput}). If
 * nobody consumes it, a program waits in its own write once all buffers are full (1 MiB here, more on the server), as
 * with {@link java.lang.Process}, on servers with the feature {@code push}. Other servers drop the oldest output, which
 * is reported as {@link ProcessEvent.Gap} or {@link OutputGapException}. Nothing is repeated or silently left out, even
 * if the connection is lost. Methods that send something throw the exceptions of {@link ProcessMethods}, and
 * {@link StaleHandleException} after {@link #close} or {@link #detach}.
 */
public final class RemoteProcess implements AutoCloseable {

    private final String id;
    private final ProcessMethods methods;
    private final EventSequence events;
    private final Optional<SandboxType> sandboxType;
    private final Runnable forget;
    private final OutputStreams streams;
    private final StdinWriter stdin;
    private volatile boolean released;

    RemoteProcess(
            String id,
            ProcessMethods methods,
            EventSequence events,
            Optional<SandboxType> sandboxType,
            boolean merged,
            Runnable forget) {
        this.id = id;
        this.methods = methods;
        this.events = events;
        this.sandboxType = sandboxType;
        this.forget = forget;
        this.streams = new OutputStreams(events, merged);
        this.stdin = new StdinWriter(id, methods);
    }

    /** Returns the key of the process in its session. */
    public String id() {
        return id;
    }

    /** Returns the sandbox that is in force; empty for a process that was attached to. */
    public Optional<SandboxType> sandboxType() {
        return sandboxType;
    }

    /** Waits for the next event; empty after the last one. */
    public Optional<ProcessEvent> nextEvent() throws InterruptedException {
        streams.consumeAs(OutputStreams.Use.EVENTS);
        return events.take();
    }

    /** Does the same as {@link #nextEvent()}; also empty when the time has passed, see {@link #ended()}. */
    public Optional<ProcessEvent> nextEvent(Duration limit) throws InterruptedException {
        streams.consumeAs(OutputStreams.Use.EVENTS);
        return events.take(limit.toNanos());
    }

    /** Gives all events to the listener, on the calling thread, and returns after the last one. */
    public Outcome forEachEvent(Consumer<ProcessEvent> listener) throws InterruptedException {
        for (Optional<ProcessEvent> event = nextEvent(); event.isPresent(); event = nextEvent()) {
            listener.accept(event.get());
        }
        return waitFor();
    }

    /** Returns true if the last event was taken. */
    public boolean ended() {
        return events.exhausted();
    }

    /**
     * Returns the output of the program to stdout, or to its terminal. Reading throws {@link OutputGapException} at
     * missing output and {@link IOException} if the process was lost. Each stream holds up to 512 KiB for a
     * slow reader; then the other stream waits for it. Closing a stream discards its output.
     */
    public InputStream stdout() {
        return streams.stream(StreamKind.STDOUT);
    }

    /** Returns the output to stderr, as {@link #stdout()} does; a process on a terminal has none. */
    public InputStream stderr() {
        return streams.stream(StreamKind.STDERR);
    }

    /**
     * Reads what is left of stdout as UTF-8, and waits for its end. The text must fit in memory; stderr may be read before,
     * meanwhile or later.
     */
    public String stdoutAsText() throws IOException {
        return new String(stdout().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Reads what is left of stderr, as {@link #stdoutAsText()} does. */
    public String stderrAsText() throws IOException {
        return new String(stderr().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Discards all output, now and later. */
    public void discardOutput() {
        streams.consumeAs(OutputStreams.Use.NOTHING);
        events.discardOutput();
    }

    /** Waits for the exit; output may still come. A program whose output nobody consumes may never exit, see above. */
    public Outcome waitFor() throws InterruptedException {
        return events.awaitOutcome(Long.MAX_VALUE).orElseThrow();
    }

    /** Does the same as {@link #waitFor()}; empty when the time has passed. */
    public Optional<Outcome> waitFor(Duration limit) throws InterruptedException {
        return events.awaitOutcome(limit.toNanos());
    }

    /**
     * Waits until the condition holds: a text in all that the process has written, a port, silence and so on; needs {@code process/wait}.
     * Takes no output from the consumer.
     *
     * @return also when the time is over or the process has ended before, see {@link WaitResult#met}
     */
    public WaitResult waitFor(WaitCondition condition, Duration limit) throws InterruptedException {
        checkHeld();
        return methods.await(new WaitParams(id, Optional.empty(), condition, 0, limit.toMillis()));
    }

    /**
     * Returns a future of the outcome. It is completed on a virtual thread; cancelling it does not end the program. As with
     * {@link #waitFor()}, a program whose output nobody consumes may never exit.
     */
    public CompletableFuture<Outcome> onExit() {
        return events.onOutcome();
    }

    /** Returns a view of this process for code that works with processes of the JDK. */
    public Process asProcess() {
        return new ProcessView(this);
    }

    /** Returns how the process has ended, if that is known. */
    public Optional<Outcome> outcome() {
        return events.outcomeNow();
    }

    /** Returns the exit code, if it is known. */
    public OptionalInt exitCode() {
        return switch (outcome().orElse(new Outcome.Lost("running"))) {
            case Outcome.Exited exited -> OptionalInt.of(exited.exitCode());
            case Outcome.SandboxDenied denied -> OptionalInt.of(denied.exitCode());
            case Outcome.Lost unused -> OptionalInt.empty();
        };
    }

    /**
     * Writes to stdin, in order with other writes, each byte once even if the connection is lost. Returns when the
     * server has the bytes, and waits while the server has no room for them.
     *
     * @throws StdinClosedException when the process takes no input, or was closed here
     */
    public void write(byte[] bytes) throws InterruptedException {
        stdin.write(bytes, 0, bytes.length);
    }

    /** Returns stdin as a stream that works as {@link #write}; closing it closes stdin. */
    public OutputStream stdin() {
        return new StdinStream(stdin, this::closeStdin);
    }

    /** Ends stdin after everything written before; needs {@code process/closeStdin}. */
    public void closeStdin() throws InterruptedException {
        checkHeld();
        stdin.inOrder(() -> methods.closeStdin(new CloseStdinParams(id)));
    }

    /** Changes the size of the terminal; needs {@code process/resize}. */
    public void resize(int cols, int rows) throws InterruptedException {
        checkHeld();
        methods.resize(new ResizeParams(id, new TerminalSize(cols, rows)));
    }

    /** Sends SIGINT to the process group. */
    public void interrupt() throws InterruptedException {
        signal(SignalParams.INTERRUPT);
    }

    /** Sends a signal by its name, with or without SIG; all but {@code interrupt} need {@code process/signal}. */
    public void signal(String name) throws InterruptedException {
        checkHeld();
        methods.signal(new SignalParams(id, name));
    }

    /** Kills the whole process tree at once, without waiting for the exit. Returns true if the process was running. */
    public boolean terminate() throws InterruptedException {
        checkHeld();
        return methods.terminate(new TerminateParams(id, OptionalLong.empty())).running();
    }

    /**
     * Sends SIGTERM, and after the grace SIGKILL to the whole process tree; needs {@code graceMs}. Returns true if the
     * process was running.
     */
    public boolean terminate(Duration grace) throws InterruptedException {
        checkHeld();
        return methods.terminate(new TerminateParams(id, OptionalLong.of(grace.toMillis())))
                .running();
    }

    /**
     * Releases the process without ending it: it can be attached to again. The events here end with
     * {@link ProcessEvent.Lost}.
     *
     * @return number of the last event that came here, from which {@code attach} can continue
     */
    public long detach() {
        released = true;
        long seq = events.lastDelivered();
        events.lose("detached");
        forget.run();
        return seq;
    }

    /** Kills the process if it has not exited, does not wait, and releases it. */
    @Override
    public void close() {
        boolean first = !released;
        released = true;
        stdin.close();
        if (first && exitCode().isEmpty()) {
            methods.terminateLater(id);
        }
        events.lose("closed by its owner");
        forget.run();
    }

    /** Asks the server to end the process, with a grace if there is one, and does not wait. */
    void terminateLater(Optional<Duration> grace) {
        if (exitCode().isEmpty()) {
            methods.terminateLater(id, grace);
        }
    }

    private void checkHeld() {
        if (released) {
            throw new StaleHandleException(id);
        }
    }
}
