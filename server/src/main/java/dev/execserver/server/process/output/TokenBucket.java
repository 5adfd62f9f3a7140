package dev.execserver.server.process.output;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Token bucket: allows a number of bytes a second on average, with a reserve for bursts. Any thread; {@code lock}
 * guards the fields. Never waits: a caller that gets nothing asks again later.
 */
final class TokenBucket {

    private static final double NANOS_PER_SECOND = 1e9;

    private final ReentrantLock lock = new ReentrantLock();
    private final long bytesPerSecond;
    private final long burstBytes;
    private double tokens;
    private long lastNanos;

    TokenBucket(long bytesPerSecond, long burstBytes, long nowNanos) {
        this.bytesPerSecond = bytesPerSecond;
        this.burstBytes = burstBytes;
        this.tokens = burstBytes;
        this.lastNanos = nowNanos;
    }

    /** Takes the bytes and returns true, or takes nothing and returns false if fewer are available. */
    boolean take(long bytes, long nowNanos) {
        lock.lock();
        try {
            double due = (nowNanos - lastNanos) / NANOS_PER_SECOND * bytesPerSecond;
            tokens = Math.min(burstBytes, tokens + due);
            lastNanos = nowNanos;
            if (tokens < bytes) {
                return false;
            }
            tokens -= bytes;
            return true;
        } finally {
            lock.unlock();
        }
    }
}
