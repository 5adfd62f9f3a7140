package dev.execserver.protocol.rpc;

import java.util.Optional;

/**
 * The error object of a received {@link ErrorResponse}.
 *
 * @param code see {@link ErrorCodes}; saturated to the range of an int
 * @param data empty when absent or null
 */
public record RpcError(int code, String message, Optional<JsonSlice> data) {}
