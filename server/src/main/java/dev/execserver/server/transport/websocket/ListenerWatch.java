package dev.execserver.server.transport.websocket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Finds out that nobody listens any more. Helidon takes every failure of accept(2) for the end of the listener and says
 * so to nobody: it would be deaf for ever after a moment in which the machine had no descriptor left (ENFILE). While
 * somebody listens the address cannot be bound again, SO_REUSEADDR or not, see socket(7).
 *
 * <p>One thread, the timer's. No locks.
 */
final class ListenerWatch {
    private static final long PAUSE_NANOS = 2_000_000_000L;

    private final InetSocketAddress address;
    private long lookedNanos = System.nanoTime();

    ListenerWatch(InetSocketAddress address) {
        this.address = address;
    }

    /** True when it was time to look, and the address was free. */
    boolean deserted(long now) {
        if (now - lookedNanos < PAUSE_NANOS) {
            return false;
        }
        lookedNanos = now;
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(address, 1);
            return true;
        } catch (IOException e) {
            return false; // in use, as it should be; or no descriptor left, then the next look tells
        }
    }
}
