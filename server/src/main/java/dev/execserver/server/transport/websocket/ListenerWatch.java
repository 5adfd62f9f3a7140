package dev.execserver.server.transport.websocket;

/**
 * Detects that the server does not listen any more. Helidon takes every failure of accept(2) for the end of the
 * listener and reports it to nobody. After a moment without free descriptors (ENFILE) the server would be deaf for
 * ever.
 *
 * <p>One thread, the timer's. No locks.
 */
final class ListenerWatch {
    private static final long PAUSE_NANOS = 2_000_000_000L;

    private final ListenPlace place;
    private long lookedNanos = System.nanoTime();

    ListenerWatch(ListenPlace place) {
        this.place = place;
    }

    /** Returns true if it was time to check and the place was free. */
    boolean deserted(long now) {
        if (now - lookedNanos < PAUSE_NANOS) {
            return false;
        }
        lookedNanos = now;
        return place.deserted();
    }
}
