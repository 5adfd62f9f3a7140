package dev.execserver.server.process.output;

/**
 * Limits how fast events are pushed to a connection that has resumed a session.
 *
 * <p>The real client holds pushed events back until it has merged the answer to its first read: at most 256 events and
 * 1 MiB for each process. If there are more, it gives the process up. So nothing is pushed until that read was
 * answered, or for at most one second. Then fewer events than the limit are pushed until the client must have merged.
 * Not thread safe.
 */
final class PushGate {

    /** Most events to push while throttled. The real client holds 256. */
    static final int MAX_EVENTS = 192;

    /** Most bytes to push while throttled. The real client holds 1 MiB. */
    static final long MAX_BYTES = 768 * 1024;

    private enum State {
        OPEN,
        HELD,
        THROTTLED
    }

    private State state = State.OPEN;
    private int events;
    private long bytes;

    void open() {
        state = State.OPEN;
    }

    void hold() {
        state = State.HELD;
        events = 0;
        bytes = 0;
    }

    /**
     * Ends the hold. Repeated calls do not reset the counts, because the client still holds the events that were pushed
     * since.
     */
    void throttle() {
        if (state == State.HELD) {
            state = State.THROTTLED;
        }
    }

    boolean admits(int length) {
        return switch (state) {
            case OPEN -> true;
            case HELD -> false;
            case THROTTLED -> events < MAX_EVENTS && bytes + length <= MAX_BYTES;
        };
    }

    void passed(int length) {
        if (state == State.THROTTLED) {
            events++;
            bytes += length;
        }
    }
}
