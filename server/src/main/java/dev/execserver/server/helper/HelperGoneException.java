package dev.execserver.server.helper;

import dev.execserver.protocol.rpc.RpcException;

/** Thrown if a helper ended before it has answered. A request that changes nothing may be sent again. */
final class HelperGoneException extends Exception {

    private static final long serialVersionUID = 1L;

    HelperGoneException(String message) {
        super(message);
    }

    /** Returns the error for the client if there is no further attempt, with the text of the reference server. */
    RpcException toRpc() {
        return RpcException.internal("fs sandbox helper failed: " + getMessage());
    }
}
