package dev.execserver.server.transport;

/** Serves the connections of a transport. */
@FunctionalInterface
public interface ConnectionHandler {
    /**
     * Serves one connection until {@link Transport#read} reports its end. Runs on the connection's reader thread. The
     * transport is closed when this method returns.
     */
    void serve(Transport transport);
}
