package dev.execserver.server.sandbox;

import dev.execserver.sandbox.probe.HostCapabilities;
import dev.execserver.server.concurrent.Threads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the machine's sandbox features once, in parallel with the start of the server. A thread that needs the result
 * waits for it. If a check had no time to finish or was killed, as on a machine that is busy for a moment, a later use
 * starts the checks again, but not before a pause. Any thread; the lock guards which checks are the latest.
 */
final class HostExamination implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HostExamination.class);

    /** Pause between two runs of the checks. A run takes as long if it has to wait in each of its steps. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    /**
     * Longest wait for a run at the close. All its steps need less, even on a slow machine; each has a limit of its
     * own.
     */
    private static final Duration MAX_LOOK = Duration.ofSeconds(5);

    private final ReentrantLock lock = new ReentrantLock();
    private final Supplier<HostCapabilities> look;
    private final Duration pause;
    private Look latest;
    private volatile boolean closed;

    private record Look(CompletableFuture<HostCapabilities> result, long startedNanos) {
        /** Returns true if there is a result and another run may find a better one. */
        boolean doubtful() {
            return result.isDone()
                    && (result.isCompletedExceptionally() || !result.join().settled());
        }
    }

    /** Starts the first run. */
    HostExamination(Supplier<HostCapabilities> look, Duration pause) {
        this.look = look;
        this.pause = pause;
        this.latest = begin();
    }

    /** Waits for the result. Starts a new run if the last result is doubtful. */
    HostCapabilities result() {
        return latest().result().join();
    }

    /** Waits for the result without a new run, so that one request uses one result throughout. */
    HostCapabilities known() {
        Look known;
        lock.lock();
        try {
            known = latest;
        } finally {
            lock.unlock();
        }
        return known.result().join();
    }

    private Look latest() {
        lock.lock();
        try {
            if (!closed && latest.doubtful() && System.nanoTime() - latest.startedNanos() >= pause.toNanos()) {
                latest = begin();
            }
            return latest;
        } finally {
            lock.unlock();
        }
    }

    private Look begin() {
        CompletableFuture<HostCapabilities> result = new CompletableFuture<>();
        Threads.daemon("doctor", () -> examine(result));
        return new Look(result, System.nanoTime());
    }

    private void examine(CompletableFuture<HostCapabilities> result) {
        try {
            HostCapabilities found = look.get();
            found.warnings().forEach(LOG::warn);
            LOG.info(found.summary());
            result.complete(found);
        } catch (RuntimeException | Error e) {
            // A server that ends early, because its port is taken for example, closes the spawner.
            if (!closed) {
                LOG.error("this machine could not be examined; sandboxed requests are refused until it can", e);
            }
            result.completeExceptionally(e);
        }
    }

    /**
     * Waits for a run that goes on: it removes its processes itself, and a bubblewrap that lost its parent at the wrong
     * moment would wait for ever.
     */
    @Override
    public void close() {
        closed = true;
        try {
            HostCapabilities _ = latest().result().get(MAX_LOOK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("the examination of this machine has no result: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
