package dev.execserver.server.transport;

/** What is done with a connection. Given to the transports by whoever wires the server. */
@FunctionalInterface
public interface ConnectionHandler {
    /**
     * Serves one connection until {@link Transport#read} says that it ended. Runs on the connection's reader thread; the
     * transport is closed when this method returns.
     */
    void serve(Transport transport);
}
