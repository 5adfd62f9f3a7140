package dev.execserver.protocol.rpc;

/**
 * A call that expects exactly one {@link Response} or {@link ErrorResponse} with the same id.
 *
 * @param params {@link JsonSlice#NULL} when the member was absent
 * @param values JSON values of the whole message: decoded small values need more memory than their bytes
 */
public record Request(RequestId id, String method, JsonSlice params, int values) implements JsonRpcMessage {

    /**
     * Returns the same request without its params, which were read already, so that it does not keep the message in
     * memory.
     */
    public Request withoutParams() {
        return new Request(id, method, JsonSlice.NULL, values);
    }
}
