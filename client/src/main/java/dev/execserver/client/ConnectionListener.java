package dev.execserver.client;

import dev.execserver.protocol.text.VisibleText;

/**
 * Receives what happens to the connection of a client. The methods are called one after the other on a virtual thread and
 * may wait; the client does not wait for them.
 */
public interface ConnectionListener {

    /** Ignores everything but warnings, which it logs. */
    ConnectionListener NONE = new ConnectionListener() {};

    /** The connection was lost. Another one is tried within the reconnect window. */
    default void interrupted() {}

    /** The session was resumed on another connection; nothing was lost. */
    default void resumed() {}

    /**
     * The server warns of the params of a request: it does not know one of their members, and was started with {@code
     * --strict-members warn}. Each warning is told once, and no more than 100 of them. Logged, if not overridden.
     *
     * @param warning as it came, with its control characters
     */
    default void warned(String method, String warning) {
        System.getLogger(ConnectionListener.class.getName())
                .log(System.Logger.Level.WARNING, "{0}: {1}", method, VisibleText.oneLine(warning));
    }

    /** There will be no other connection. Called once, also when the client was closed here. */
    default void ended(String reason) {}
}
