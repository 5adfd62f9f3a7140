package dev.execserver.server.rpc;

import dev.execserver.server.transport.Transport;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Tests if a peer is still alive. Runs on the reader thread of the connection that asks. Stateless. */
final class LifeProbe {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Longer than the other interval, because the kernel's socket tables are long on a busy machine. */
    private static final long QUEUE_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /**
     * A shrinking send queue proves nothing below this size: the kernel of the peer takes so many bytes even for a
     * program that hangs.
     */
    private static final long TELLING_BYTES = 64 * 1024;

    private LifeProbe() {}

    /**
     * Sends a ping. Then waits for incoming data, for progress of a blocked write, or for a long send queue in the
     * kernel to shrink. A peer that reads slowly may have megabytes to read before it sees the ping.
     */
    static boolean provesAlive(Transport transport, Duration limit) {
        long asked = System.nanoTime();
        transport.probe();
        OptionalLong queued = transport.unacknowledgedBytes();
        long nextQueueLook = asked + QUEUE_LOOK_NANOS;
        for (long now = asked; now - asked < limit.toNanos(); now = System.nanoTime()) {
            if (transport.lastSignOfLifeNanos() - asked >= 0) {
                return true;
            }
            if (queued.orElse(0) >= TELLING_BYTES && now - nextQueueLook >= 0) {
                OptionalLong left = transport.unacknowledgedBytes();
                if (left.isPresent() && left.getAsLong() < queued.getAsLong()) {
                    return true;
                }
                queued = left;
                nextQueueLook = now + QUEUE_LOOK_NANOS;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return false;
    }
}
