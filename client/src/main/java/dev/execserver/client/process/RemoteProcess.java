package dev.execserver.client.process;

import dev.execserver.client.error.StdinClosedException;
import dev.execserver.protocol.process.CloseStdinParams;
import dev.execserver.protocol.process.ResizeParams;
import dev.execserver.protocol.process.SandboxType;
import dev.execserver.protocol.process.SignalParams;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.protocol.process.TerminalSize;
import dev.execserver.protocol.process.TerminateParams;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A process on the server. Thread-safe.
 *
 * <p><b>Output.</b> It is consumed in one of three ways, whichever is used first: as events ({@link #nextEvent},
 * {@link #forEachEvent}), as streams ({@link #stdout}, {@link #stderr}), or not at all ({@link #discardOutput}). As with
 * {@link java.lang.Process}, a program whose output nobody consumes waits in its own write once all buffers are full
 * (1 MiB here, what the server keeps there), on servers that have the feature {@code push}. Other servers drop the
 * oldest output instead, and that is reported as {@link ProcessEvent.Gap} or {@link OutputGapException}. Nothing comes
 * twice and nothing is left out silently, whatever happens to the connection.
 *
 * <p>Methods that send something throw what {@link ProcessMethods} throws.
 */
public final class RemoteProcess implements AutoCloseable {

    private final String id;
    private final ProcessMethods methods;
    private final EventSequence events;
    private final Optional<SandboxType> sandboxType;
    private final Runnable forget;
    private final OutputStreams streams;
    private final StdinWriter stdin;

    RemoteProcess(
            String id,
            ProcessMethods methods,
            EventSequence events,
            Optional<SandboxType> sandboxType,
            Runnable forget) {
        this.id = id;
        this.methods = methods;
        this.events = events;
        this.sandboxType = sandboxType;
        this.forget = forget;
        this.streams = new OutputStreams(events);
        this.stdin = new StdinWriter(id, methods);
    }

    /** Key of the process in its session. */
    public String id() {
        return id;
    }

    /** The sandbox that is in force; empty for a process that was attached to. */
    public Optional<SandboxType> sandboxType() {
        return sandboxType;
    }

    /** Waits for the next event; empty behind the last one. */
    public Optional<ProcessEvent> nextEvent() throws InterruptedException {
        streams.consumeAs(OutputStreams.Use.EVENTS);
        return events.take();
    }

    /** As {@link #nextEvent()}; also empty when the time passes, see {@link #ended()}. */
    public Optional<ProcessEvent> nextEvent(Duration limit) throws InterruptedException {
        streams.consumeAs(OutputStreams.Use.EVENTS);
        return events.take(limit.toNanos());
    }

    /** Gives all events to the listener, on the calling thread, and returns behind the last one. */
    public Outcome forEachEvent(Consumer<ProcessEvent> listener) throws InterruptedException {
        for (Optional<ProcessEvent> event = nextEvent(); event.isPresent(); event = nextEvent()) {
            listener.accept(event.get());
        }
        return waitFor();
    }

    /** Whether the last event was taken. */
    public boolean ended() {
        return events.exhausted();
    }

    /**
     * What the program writes to stdout, or to its terminal. Reading throws {@link OutputGapException} where output is
     * missing and {@link java.io.IOException} when the process was lost. Both streams hold up to 512 KiB for a reader
     * that is behind; then the other one waits for it. Closing a stream discards what comes on it.
     */
    public InputStream stdout() {
        return streams.stream(StreamKind.STDOUT);
    }

    /** As {@link #stdout()}; nothing comes from a process on a terminal. */
    public InputStream stderr() {
        return streams.stream(StreamKind.STDERR);
    }

    /** All output, now and later, is thrown away. */
    public void discardOutput() {
        streams.consumeAs(OutputStreams.Use.NOTHING);
        events.discardOutput();
    }

    /**
     * Waits for the exit; output may still come. The process of a program whose output nobody consumes may never exit,
     * see above.
     */
    public Outcome waitFor() throws InterruptedException {
        return events.awaitOutcome(Long.MAX_VALUE).orElseThrow();
    }

    /** As {@link #waitFor()}; empty when the time passes. */
    public Optional<Outcome> waitFor(Duration limit) throws InterruptedException {
        return events.awaitOutcome(limit.toNanos());
    }

    /** The exit code when it is known. */
    public OptionalInt exitCode() {
        return switch (events.outcomeNow().orElse(new Outcome.Lost("running"))) {
            case Outcome.Exited exited -> OptionalInt.of(exited.exitCode());
            case Outcome.SandboxDenied denied -> OptionalInt.of(denied.exitCode());
            case Outcome.Lost _ -> OptionalInt.empty();
        };
    }

    /**
     * Writes to stdin, in order with other writes, each byte once whatever happens to the connection. Returns when the
     * server has the bytes, and waits while it has no room for them.
     *
     * @throws StdinClosedException when the process takes no input, or was closed here
     */
    public void write(byte[] bytes) throws InterruptedException {
        stdin.write(bytes, 0, bytes.length);
    }

    /** {@link #write} as a stream; closing it closes stdin. */
    public OutputStream stdin() {
        return new StdinStream(stdin, this::closeStdin);
    }

    /** End of file on stdin, behind everything written before; needs {@code process/closeStdin}. */
    public void closeStdin() throws InterruptedException {
        stdin.inOrder(() -> methods.closeStdin(new CloseStdinParams(id)));
    }

    /** New size of the terminal; needs {@code process/resize}. */
    public void resize(int cols, int rows) throws InterruptedException {
        methods.resize(new ResizeParams(id, new TerminalSize(cols, rows)));
    }

    /** SIGINT to the process group. */
    public void interrupt() throws InterruptedException {
        signal(SignalParams.INTERRUPT);
    }

    /** Any signal by its name, with or without SIG; all but {@code interrupt} need {@code process/signal}. */
    public void signal(String name) throws InterruptedException {
        methods.signal(new SignalParams(id, name));
    }

    /** Kills the whole tree at once and returns without waiting for the exit; true when it was running. */
    public boolean terminate() throws InterruptedException {
        return methods.terminate(new TerminateParams(id, OptionalLong.empty())).running();
    }

    /** SIGTERM, then SIGKILL to the whole tree after the grace; needs {@code graceMs}. */
    public boolean terminate(Duration grace) throws InterruptedException {
        return methods.terminate(new TerminateParams(id, OptionalLong.of(grace.toMillis())))
                .running();
    }

    /**
     * Lets go of the process without ending it: it can be attached to again. The events here end with
     * {@link ProcessEvent.Lost}.
     *
     * @return number of the last event that came here, to go on from with {@code attach}
     */
    public long detach() {
        long seq = events.lastDelivered();
        events.lose("detached");
        forget.run();
        return seq;
    }

    /** Kills the process if it has not exited, does not wait, and lets go of it. */
    @Override
    public void close() {
        stdin.close();
        if (exitCode().isEmpty()) {
            methods.terminateLater(id);
        }
        events.lose("closed by its owner");
        forget.run();
    }
}
