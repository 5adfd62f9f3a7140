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
 * What the machine has for sandboxes, looked at once, beside the start of the server; whoever needs it earlier waits. Where
 * something had no time to answer or was killed, as on a machine that is too busy for a moment, whoever needs it later has it
 * looked at again, but not before a pause. Any thread; the lock guards which look is the latest.
 */
final class Examination implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Examination.class);

    /** Between two looks: one that has to wait for each of its steps takes as long. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    /** More than all its steps need on a machine that is slow; each has a limit of its own. */
    private static final Duration MAX_LOOK = Duration.ofSeconds(5);

    private final ReentrantLock lock = new ReentrantLock();
    private final Supplier<HostCapabilities> look;
    private final Duration pause;
    private Look latest;
    private volatile boolean closed;

    private record Look(CompletableFuture<HostCapabilities> result, long startedNanos) {
        /** Whether there is a result that another look could better. */
        boolean doubtful() {
            return result.isDone()
                    && (result.isCompletedExceptionally() || !result.join().settled());
        }
    }

    /** Begins. */
    Examination(Supplier<HostCapabilities> look, Duration pause) {
        this.look = look;
        this.pause = pause;
        this.latest = begin();
    }

    /** Waits for the result; the latest one, if there was reason to look again. */
    HostCapabilities result() {
        return latest().result().join();
    }

    /** The same without looking again: what one request has begun with it goes on with. */
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
            // A server that ends early, because its port is taken for example, takes the spawner away.
            if (!closed) {
                LOG.error("this machine could not be examined; sandboxed requests are refused until it can", e);
            }
            result.completeExceptionally(e);
        }
    }

    /**
     * A look that is under way is waited for: it takes its processes away itself, and a bubblewrap that has lost its parent
     * in the wrong moment would wait for ever.
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
