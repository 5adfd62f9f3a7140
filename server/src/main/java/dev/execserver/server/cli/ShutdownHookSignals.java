package dev.execserver.server.cli;

import dev.execserver.sandbox.plan.AttachedSandbox;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles SIGINT, SIGTERM and SIGHUP if they cannot be read. The command gets SIGTERM and time for its own handler,
 * then it is killed. After the clean-up its exit status becomes that of this program. It is a shutdown hook, because
 * {@code sun.misc.Signal} is not supported; a hook cannot tell which signal came.
 *
 * <p>The hook runs on a thread of its own; the main thread calls the other methods.
 */
final class ShutdownHookSignals implements SandboxSignals {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int SIGTERM = 15;
    /** Exit status if the command had not been started yet. */
    private static final int TERMINATED = 128 + SIGTERM;

    private final Thread hook = Thread.ofPlatform().name("sandbox-signal").unstarted(this::pass);
    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile Optional<AttachedSandbox> command = Optional.empty();
    private volatile int status = TERMINATED;

    private ShutdownHookSignals() {}

    static ShutdownHookSignals arm() {
        ShutdownHookSignals armed = new ShutdownHookSignals();
        Runtime.getRuntime().addShutdownHook(armed.hook);
        return armed;
    }

    @Override
    public void started(AttachedSandbox running) {
        command = Optional.of(running);
    }

    @Override
    public void standing() {
        // A command that is signalled earlier does not get the signal, and is killed after PATIENCE.
    }

    @Override
    public void finished(int code) {
        status = code;
        finished.countDown();
    }

    private void pass() {
        command.ifPresent(running -> {
            boolean _ = running.signal(SIGTERM); // false: it has just ended
            if (!running.awaitExit(PATIENCE)) {
                running.kill();
            }
        });
        try {
            boolean _ = finished.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS); // false: a file hangs
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(status);
    }

    /** Removes the hook, unless it is running: then it ends the program. */
    @Override
    public void close() {
        finished.countDown();
        try {
            boolean _ = Runtime.getRuntime().removeShutdownHook(hook); // false: it was never registered
        } catch (IllegalStateException shuttingDown) {
            return; // the hook also knows the status
        }
    }
}
