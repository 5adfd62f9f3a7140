package dev.execserver.client.process;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A remote process as a process of the JDK. It has no handle and no process id here, so that {@code pid()},
 * {@code children()} and the like throw {@link UnsupportedOperationException}. A lost process has the exit code
 * {@value #LOST}. Thread-safe as {@link RemoteProcess} is.
 */
final class ProcessView extends Process {

    static final int LOST = 255;

    /** Time between SIGTERM and SIGKILL of {@link #destroy()}. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final RemoteProcess process;

    ProcessView(RemoteProcess process) {
        this.process = process;
    }

    @Override
    public OutputStream getOutputStream() {
        return process.stdin();
    }

    @Override
    public InputStream getInputStream() {
        return process.stdout();
    }

    @Override
    public InputStream getErrorStream() {
        return process.stderr();
    }

    @Override
    public int waitFor() throws InterruptedException {
        return code(process.waitFor());
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        return process.waitFor(Duration.of(timeout, unit.toChronoUnit())).isPresent();
    }

    @Override
    public int exitValue() {
        return code(outcome().orElseThrow(() -> new IllegalThreadStateException("the process has not exited")));
    }

    @Override
    public boolean isAlive() {
        return outcome().isEmpty();
    }

    /** Sends SIGTERM, and SIGKILL to the whole tree five seconds later; a server without a grace kills at once. */
    @Override
    public void destroy() {
        process.terminateLater(Optional.of(GRACE));
    }

    @Override
    public Process destroyForcibly() {
        process.terminateLater(Optional.empty());
        return this;
    }

    @Override
    public boolean supportsNormalTermination() {
        return true;
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return process.onExit().thenApply(outcome -> this);
    }

    private Optional<Outcome> outcome() {
        return process.outcome();
    }

    private static int code(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Exited exited -> exited.exitCode();
            case Outcome.SandboxDenied denied -> denied.exitCode();
            case Outcome.Lost unused -> LOST;
        };
    }
}
