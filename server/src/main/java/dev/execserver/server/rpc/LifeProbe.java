package dev.execserver.server.rpc;

import dev.execserver.server.transport.Transport;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Finds out whether a peer is still there. Runs on the reader thread of the connection that wants to know. Stateless. */
final class LifeProbe {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** The tables of the kernel are long on a busy machine. */
    private static final long QUEUE_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /**
     * Less than this in the send queue proves nothing when it goes: the kernel of the peer takes it for a program that
     * hangs, too.
     */
    private static final long TELLING_BYTES = 64 * 1024;

    private LifeProbe() {}

    /**
     * Pings, and waits for anything that comes in, for a held-up write that goes on, or for a long send queue of the kernel
     * to shrink: a peer that reads slowly may have megabytes to read before it sees the ping.
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
