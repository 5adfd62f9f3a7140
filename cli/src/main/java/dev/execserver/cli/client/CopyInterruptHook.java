package dev.execserver.cli.client;

import dev.execserver.cli.client.copy.IncompleteFiles;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Breaks a copy off on SIGINT, SIGTERM and SIGHUP, and removes incomplete files on both sides. It is a shutdown hook,
 * as in {@link SignalRelay}.
 */
final class CopyInterruptHook implements AutoCloseable {
    /** Time for the main thread to notice the interrupt. It does not notice while it waits for standard input. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Status that a shell gives for a program that Ctrl-C has ended. */
    private static final int INTERRUPTED = 130;

    private final IncompleteFiles leftovers;
    private final Thread worker = Thread.currentThread();
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = Thread.ofPlatform().name("cp-signal").unstarted(this::breakOff);

    private CopyInterruptHook(IncompleteFiles leftovers) {
        this.leftovers = leftovers;
    }

    static CopyInterruptHook arm(IncompleteFiles leftovers) {
        CopyInterruptHook armed = new CopyInterruptHook(leftovers);
        Runtime.getRuntime().addShutdownHook(armed.hook);
        return armed;
    }

    private void breakOff() {
        try {
            worker.interrupt();
            boolean _ = finished.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            leftovers.removeAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Runtime.getRuntime().halt(INTERRUPTED);
        }
    }

    /** Removes the hook, unless a signal is being handled: then the hook ends the program. */
    @Override
    public void close() {
        try {
            boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            finished.countDown();
        }
    }
}
