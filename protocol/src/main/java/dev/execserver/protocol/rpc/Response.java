package dev.execserver.protocol.rpc;

/** The successful answer to the request with the same id. */
public record Response(RequestId id, JsonSlice result) implements JsonRpcMessage {}
