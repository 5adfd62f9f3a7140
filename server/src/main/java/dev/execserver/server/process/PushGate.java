package dev.execserver.server.process;

/**
 * Limits how fast events are pushed to a connection that has resumed a session.
 *
 * <p>The real client parks pushed events until it has merged the answer to its catch-up read, at most 256 events and 1 MiB
 * per process, and gives the process up when there are more. So nothing is pushed until that read was answered, or was
 * waited for for a second, and then less than the bound until the client must have merged. Not thread safe.
 */
final class PushGate {

    /** Events pushed at most while throttled: the real client parks 256. */
    static final int MAX_EVENTS = 192;

    /** Bytes pushed at most while throttled: the real client parks 1 MiB. */
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

    /** Ends the hold. What was pushed since the hold began is still parked, however often this is called. */
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
