package dev.execserver.client;

/**
 * Receives what happens to the connection of a client. The methods are called one after the other on a virtual thread and
 * may wait; the client does not wait for them.
 */
public interface ConnectionListener {

    /** Ignores everything. */
    ConnectionListener NONE = new ConnectionListener() {};

    /** The connection was lost. Another one is tried within the reconnect window. */
    default void interrupted() {}

    /** The session was resumed on another connection; nothing was lost. */
    default void resumed() {}

    /** There will be no other connection. Called once, also when the client was closed here. */
    default void ended(String reason) {}
}
