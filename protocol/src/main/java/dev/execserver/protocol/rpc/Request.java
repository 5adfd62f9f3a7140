package dev.execserver.protocol.rpc;

import java.util.Optional;

/**
 * A call that expects exactly one {@link Response} or {@link ErrorResponse} with the same id.
 *
 * @param params {@link JsonSlice#NULL} when the member was absent
 * @param trace where it stands in a trace of its client
 * @param values JSON values of the whole message: decoded small values need more memory than their bytes
 */
public record Request(RequestId id, String method, JsonSlice params, Optional<TraceContext> trace, int values)
        implements JsonRpcMessage {

    /** Makes a request outside of any trace. */
    public Request(RequestId id, String method, JsonSlice params, int values) {
        this(id, method, params, Optional.empty(), values);
    }

    /**
     * Returns the same request without its params, which were read already, so that it does not keep the message in
     * memory.
     */
    public Request withoutParams() {
        return new Request(id, method, JsonSlice.NULL, trace, values);
    }
}
