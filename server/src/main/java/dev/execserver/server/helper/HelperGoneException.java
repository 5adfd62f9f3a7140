package dev.execserver.server.helper;

import dev.execserver.protocol.rpc.RpcException;

/** The helper ended, or was ended, before it had answered. A request that changes nothing may be asked again. */
final class HelperGoneException extends Exception {

    private static final long serialVersionUID = 1L;

    HelperGoneException(String message) {
        super(message);
    }

    /** What the client is told when nothing more is tried; the words are those of the reference. */
    RpcException toRpc() {
        return RpcException.internal("fs sandbox helper failed: " + getMessage());
    }
}
