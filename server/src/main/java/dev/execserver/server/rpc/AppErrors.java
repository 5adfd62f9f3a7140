package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.RpcException;
import java.util.Collection;
import java.util.stream.Collectors;

/** Errors that all methods of the app-server dialect share. Stateless. */
public final class AppErrors {

    private AppErrors() {}

    /** Returns the error for params that cannot be decoded. */
    public static RpcException shape(RpcException decoding) {
        return RpcException.invalidRequest("Invalid request: " + decoding.message());
    }

    static RpcException notInitialized() {
        return RpcException.invalidRequest("Not initialized");
    }

    static RpcException unknownMethod(String name, Collection<String> known) {
        String names = known.stream().sorted().map(method -> "`" + method + "`").collect(Collectors.joining(", "));
        return RpcException.invalidRequest(
                "Invalid request: unknown variant `" + name + "`, expected one of `initialize`, " + names);
    }
}
