package dev.execserver.protocol.rpc;

import java.util.Objects;
import java.util.Optional;

/**
 * Error answer to a request: the client gets its code, message and optional data.
 *
 * <p>Only internal errors have a stack trace. The others are ordinary answers: a client searches every parent folder
 * for {@code .git}, and mostly gets "not found". A trace would cost more than the call.
 */
public final class RpcException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int code;
    private final transient Optional<ErrorData> data;

    private RpcException(int code, String message, Throwable cause, Optional<ErrorData> data) {
        super(Objects.requireNonNull(message, "message"), cause, true, code == ErrorCodes.INTERNAL);
        this.code = code;
        this.data = data;
    }

    public static RpcException of(int code, String message) {
        return new RpcException(code, message, null, Optional.empty());
    }

    /**
     * Reads an error object of another program.
     *
     * @throws RpcException if it is not an error object
     */
    public static RpcException read(JsonSlice errorObject) {
        RpcError error = ErrorObject.read(errorObject);
        RpcException exception = of(error.code(), error.message());
        return error.data().isPresent()
                ? exception.withData(ErrorData.read(error.data().get()))
                : exception;
    }

    public static RpcException invalidRequest(String message) {
        return of(ErrorCodes.INVALID_REQUEST, message);
    }

    /** Returns an error with the text of the reference server. */
    public static RpcException methodNotFound(String method) {
        return of(ErrorCodes.METHOD_NOT_FOUND, "exec-server stub does not implement `" + method + "` yet");
    }

    public static RpcException invalidParams(String message) {
        return of(ErrorCodes.INVALID_PARAMS, message);
    }

    public static RpcException internal(String message) {
        return of(ErrorCodes.INTERNAL, message);
    }

    public static RpcException internal(String message, Throwable cause) {
        return new RpcException(ErrorCodes.INTERNAL, message, cause, Optional.empty());
    }

    public static RpcException notFound(String message) {
        return of(ErrorCodes.NOT_FOUND, message);
    }

    /** Returns the same error with this data in place of its own. */
    public RpcException withData(ErrorData newData) {
        return new RpcException(code, message(), getCause(), Optional.of(newData));
    }

    /** Returns the same error with one more member in its data. */
    public RpcException withData(String name, String value) {
        return withData(dataOrEmpty().with(name, value));
    }

    /** Returns the same error with one more member in its data. */
    public RpcException withData(String name, long value) {
        return withData(dataOrEmpty().with(name, value));
    }

    /** Returns the same error with one more member in its data. */
    public RpcException withData(String name, boolean value) {
        return withData(dataOrEmpty().with(name, value));
    }

    /** Returns one of {@link ErrorCodes}, or another code that a peer has sent. */
    public int code() {
        return code;
    }

    public String message() {
        return getMessage();
    }

    public Optional<ErrorData> data() {
        return data;
    }

    private ErrorData dataOrEmpty() {
        return data.orElseGet(ErrorData::empty);
    }
}
