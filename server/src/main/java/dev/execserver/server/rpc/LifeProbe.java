package dev.execserver.server.rpc;

import dev.execserver.server.transport.Transport;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Finds out whether a peer is still there. Runs on the reader thread of the connection that wants to know. Stateless. */
final class LifeProbe {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private LifeProbe() {}

    /** Pings, and waits for anything that comes in or for a held-up write that goes on. */
    static boolean provesAlive(Transport transport, Duration limit) {
        long asked = System.nanoTime();
        transport.probe();
        while (System.nanoTime() - asked < limit.toNanos()) {
            if (transport.lastSignOfLifeNanos() - asked >= 0) {
                return true;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return false;
    }
}
