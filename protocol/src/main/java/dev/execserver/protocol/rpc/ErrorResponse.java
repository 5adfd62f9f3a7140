package dev.execserver.protocol.rpc;

/** The failed answer to the request with the same id, or to an unreadable message with {@link RequestId#MALFORMED}. */
public record ErrorResponse(RequestId id, RpcError error) implements JsonRpcMessage {}
