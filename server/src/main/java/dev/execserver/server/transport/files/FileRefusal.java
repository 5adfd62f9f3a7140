package dev.execserver.server.transport.files;

import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Map;

/** Refusal of a request, with the HTTP status and the protocol error of its answer. */
public final class FileRefusal extends RuntimeException {

    private static final Status INSUFFICIENT_STORAGE = Status.create(507, "Insufficient Storage");

    private static final Map<Integer, Status> BY_ERRNO = Map.ofEntries(
            Map.entry(Errno.ENOENT, Status.NOT_FOUND_404),
            Map.entry(Errno.ENOTDIR, Status.NOT_FOUND_404),
            Map.entry(Errno.EACCES, Status.FORBIDDEN_403),
            Map.entry(Errno.EPERM, Status.FORBIDDEN_403),
            Map.entry(Errno.EROFS, Status.FORBIDDEN_403),
            Map.entry(Errno.EBUSY, Status.FORBIDDEN_403),
            Map.entry(Errno.EISDIR, Status.FORBIDDEN_403),
            Map.entry(Errno.ELOOP, Status.FORBIDDEN_403),
            Map.entry(Errno.ENOTEMPTY, Status.CONFLICT_409),
            Map.entry(Errno.EINVAL, Status.BAD_REQUEST_400),
            Map.entry(Errno.ENAMETOOLONG, Status.BAD_REQUEST_400),
            Map.entry(Errno.EFBIG, INSUFFICIENT_STORAGE),
            Map.entry(Errno.EDQUOT, INSUFFICIENT_STORAGE),
            Map.entry(Errno.ENOSPC, INSUFFICIENT_STORAGE));

    private static final Map<String, Status> BY_REASON = Map.of(
            "conflict", Status.PRECONDITION_FAILED_412,
            "placeChanged", Status.CONFLICT_409,
            "fileWorkersBusy", Status.SERVICE_UNAVAILABLE_503,
            "descriptors", Status.SERVICE_UNAVAILABLE_503,
            "helpersBusy", Status.SERVICE_UNAVAILABLE_503,
            "unknownSession", Status.NOT_FOUND_404,
            "sandboxFloor", Status.FORBIDDEN_403);

    private final Status status;
    private final transient RpcException error;

    public FileRefusal(Status status, RpcException error) {
        super(error.message(), error, false, false);
        this.status = status;
        this.error = error;
    }

    public RpcException error() {
        return error;
    }

    public Status status() {
        return status;
    }

    public static FileRefusal badRequest(String why) {
        return new FileRefusal(Status.BAD_REQUEST_400, RpcException.invalidRequest(why));
    }

    /** Makes the refusal for the error of a file operation. */
    static FileRefusal of(RpcException e) {
        return new FileRefusal(status(e), e);
    }

    private static Status status(RpcException e) {
        Map<String, Object> data = e.data().map(present -> present.members()).orElse(Map.of());
        if (data.get("errno") instanceof Long errno) {
            return BY_ERRNO.getOrDefault(errno.intValue(), Status.INTERNAL_SERVER_ERROR_500);
        }
        if (data.get("reason") instanceof String reason && BY_REASON.containsKey(reason)) {
            return BY_REASON.get(reason);
        }
        return switch (e.code()) {
            case ErrorCodes.INVALID_REQUEST -> Status.FORBIDDEN_403;
            case ErrorCodes.INVALID_PARAMS -> Status.BAD_REQUEST_400;
            default -> Status.INTERNAL_SERVER_ERROR_500;
        };
    }

    /** Sends the answer. If the body was not read to its end, the connection is closed after the answer. */
    public void answer(ServerRequest request, ServerResponse response, TransferTimeouts patience) {
        boolean unread = request.content().hasEntity() && !request.content().consumed();
        if (unread) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        send(request, response);
        if (unread) {
            EarlyClose.leave(request, patience);
        }
    }

    /** Sends the answer alone. */
    public void send(ServerRequest request, ServerResponse response) {
        response.status(status);
        response.header(HeaderNames.CONTENT_TYPE, "application/json");
        if (status.code() == Status.UNAUTHORIZED_401.code()) {
            response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        if (request.prologue().method() == Method.HEAD) {
            response.send();
        } else {
            response.send(json());
        }
    }

    private byte[] json() {
        MessageBuffer out = new MessageBuffer();
        out.ascii("{\"error\":");
        write(out, error);
        out.ascii("}\n");
        return out.toByteArray();
    }

    /** Returns an error as a JSON object. */
    public static MessageBuffer members(RpcException error) {
        MessageBuffer out = new MessageBuffer();
        write(out, error);
        return out;
    }

    private static void write(MessageBuffer out, RpcException error) {
        out.ascii("{\"code\":");
        out.number(error.code());
        out.ascii(",\"message\":");
        out.string(error.message());
        error.data().ifPresent(data -> {
            out.ascii(",\"data\":");
            MessageEncoder.value(out, data);
        });
        out.write('}');
    }
}
