package dev.execserver.protocol.rpc;

/**
 * A call that expects exactly one {@link Response} or {@link ErrorResponse} with the same id.
 *
 * @param params {@link JsonSlice#NULL} when the member was absent
 */
public record Request(RequestId id, String method, JsonSlice params) implements JsonRpcMessage {}
