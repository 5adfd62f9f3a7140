package dev.execserver.protocol.rpc;

/**
 * A call that expects exactly one {@link Response} or {@link ErrorResponse} with the same id.
 *
 * @param params {@link JsonSlice#NULL} when the member was absent
 * @param values JSON values of the whole message: small ones weigh more when they are read than their bytes do
 */
public record Request(RequestId id, String method, JsonSlice params, int values) implements JsonRpcMessage {

    /** The same without its params, which are read already: nothing of it keeps the message in memory. */
    public Request withoutParams() {
        return new Request(id, method, JsonSlice.NULL, values);
    }
}
