package dev.execserver.server.network;

import java.io.IOException;

/** Serves the connections that a sandboxed command opens to one of its proxies. */
@FunctionalInterface
public interface BridgeHandler {

    /**
     * Serves one connection to its end, on a virtual thread of its own. The connection is closed when this method
     * returns or throws. It ends early when the command is gone: its streams then throw.
     *
     * @throws IOException if a peer has gone; the command sees its connection end
     */
    void serve(BridgedConnection connection) throws IOException;
}
