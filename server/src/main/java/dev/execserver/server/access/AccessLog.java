package dev.execserver.server.access;

import dev.execserver.server.tracing.Tracing;

/**
 * Receives the events of the access log. Any thread may call, with any lock held: no method waits. Callers ask {@link
 * #on} first, so that a server without the log makes no events.
 */
public interface AccessLog {
    /** Log of a server that keeps none. */
    AccessLog OFF = new AccessLog() {
        @Override
        public boolean on() {
            return false;
        }

        @Override
        public void write(AccessEvent event) {}
    };

    /** Returns true if events are written. */
    boolean on();

    /** Queues an event for its line. The caller does not use the event any more. */
    void write(AccessEvent event);

    /** Returns the tracing of the requests whose events come here. */
    default Tracing tracing() {
        return Tracing.OFF;
    }

    /** Returns the arguments of a command as the operator wants to see them. */
    default ArgumentStyle arguments() {
        return ArgumentStyle.NONE;
    }
}
