package dev.execserver.protocol.rpc;

import java.util.Optional;

/**
 * The successful answer to the request with the same id.
 *
 * @param warnings about the params of the request, from a server that was started with {@code --strict-members warn}
 */
public record Response(RequestId id, JsonSlice result, Optional<JsonSlice> warnings) implements JsonRpcMessage {

    public Response(RequestId id, JsonSlice result) {
        this(id, result, Optional.empty());
    }
}
