package dev.execserver.server.transport.websocket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Detects that the server does not listen any more. Helidon takes every failure of accept(2) for the end of the
 * listener and reports it to nobody. After a moment without free descriptors (ENFILE) the server would be deaf for
 * ever. While a socket listens, its address cannot be bound again, with or without SO_REUSEADDR, see socket(7).
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

    /** Returns true if it was time to check and the address was free. */
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
            return false; // in use, as it should be; or no descriptor is free, and the next check will tell
        }
    }
}
