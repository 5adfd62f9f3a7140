package dev.execserver.server.cli;

import dev.execserver.sandbox.plan.AttachedSandbox;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Where signals cannot be read: what SIGINT, SIGTERM and SIGHUP do to this program. The command gets SIGTERM and time for
 * its own handler, then it is killed; when everything is tidied up, its exit status becomes ours. A shutdown hook, since
 * {@code sun.misc.Signal} is not supported; it cannot tell which signal it was.
 *
 * <p>The hook runs on a thread of its own; the other methods are the main thread's.
 */
final class HookSignals implements SignalPass {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int SIGTERM = 15;
    /** When the command had not been started yet. */
    private static final int TERMINATED = 128 + SIGTERM;

    private final Thread hook = Thread.ofPlatform().name("sandbox-signal").unstarted(this::pass);
    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile Optional<AttachedSandbox> command = Optional.empty();
    private volatile int status = TERMINATED;

    private HookSignals() {}

    static HookSignals arm() {
        HookSignals armed = new HookSignals();
        Runtime.getRuntime().addShutdownHook(armed.hook);
        return armed;
    }

    @Override
    public void started(AttachedSandbox running) {
        command = Optional.of(running);
    }

    @Override
    public void standing() {
        // Who is signalled before that gets nothing, and is killed when the patience ends.
    }

    @Override
    public void finished(int code) {
        status = code;
        finished.countDown();
    }

    private void pass() {
        command.ifPresent(running -> {
            boolean _ = running.signal(SIGTERM); // false: it ended in this moment
            if (!running.awaitExit(PATIENCE)) {
                running.kill();
            }
        });
        try {
            boolean _ = finished.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS); // false: some file hangs
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(status);
    }

    /** Disarms the hook, unless it is running: then it ends the program. */
    @Override
    public void close() {
        finished.countDown();
        try {
            boolean _ = Runtime.getRuntime().removeShutdownHook(hook); // false: it was never there
        } catch (IllegalStateException shuttingDown) {
            return; // the hook knows the status as well
        }
    }
}
