package dev.execserver.protocol.rpc;

import java.util.Objects;
import java.util.Optional;

/**
 * The answer to a request that failed: goes to the client as code, message and optional data.
 *
 * <p>Only internal errors carry a stack trace. The others are ordinary answers (a client looks for a {@code .git} in
 * every folder upwards and is told "not found" most of the time), and a trace would cost more than the call.
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
     * The error that an error object of somebody else is.
     *
     * @throws RpcException for what is no error object
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

    /** The text is that of the reference. */
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

    /** The same error with this data instead of what it had. */
    public RpcException withData(ErrorData newData) {
        return new RpcException(code, message(), getCause(), Optional.of(newData));
    }

    /** The same error with one more member in its data. */
    public RpcException withData(String name, String value) {
        return withData(dataOrEmpty().with(name, value));
    }

    /** The same error with one more member in its data. */
    public RpcException withData(String name, long value) {
        return withData(dataOrEmpty().with(name, value));
    }

    /** The same error with one more member in its data. */
    public RpcException withData(String name, boolean value) {
        return withData(dataOrEmpty().with(name, value));
    }

    /** One of {@link ErrorCodes}. */
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
