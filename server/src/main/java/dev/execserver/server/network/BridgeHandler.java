package dev.execserver.server.network;

import java.io.IOException;

/** What becomes of the connections that a sandboxed command opens to one of its proxies. */
@FunctionalInterface
public interface BridgeHandler {

    /**
     * Serves one connection to its end, on a virtual thread of its own. The connection is closed when this returns or
     * throws; it ends early, with an exception out of its streams, when the command is gone.
     *
     * @throws IOException when a peer has gone; the command sees its connection end
     */
    void serve(BridgedConnection connection) throws IOException;
}
