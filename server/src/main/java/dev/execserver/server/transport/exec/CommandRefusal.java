package dev.execserver.server.transport.exec;

import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.ErrorData;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.rights.Rights;
import dev.execserver.server.transport.files.FileRefusal;
import io.helidon.http.Status;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Refusal of a command, sorted by what its client can do about it. */
public final class CommandRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Status for a program or a directory that cannot be used. */
    private static final Status NOT_STARTED = Status.create(422, "Unprocessable Content");

    private static final String FLOOR = "sandboxFloor";
    private static final Set<String> NO_ROOM = Set.of(
            "answerMemory",
            "descriptors",
            "fileWorkersBusy",
            "helpersBusy",
            "inputMemory",
            "requestMemory",
            "shuttingDown",
            "tooManyProcesses",
            "tooManySessions");

    private final transient Status status;
    private final transient RpcException error;
    private final transient OptionalLong errno;

    private CommandRefusal(Status status, RpcException cause, RpcException error) {
        super(error.message(), cause, false, false);
        this.errno = errno(cause);
        this.status = status;
        this.error = error;
    }

    public static CommandRefusal of(RpcException e) {
        return of(e, e);
    }

    /** @param told the same error in the words that the client gets */
    public static CommandRefusal of(RpcException e, RpcException told) {
        return new CommandRefusal(status(e), e, told);
    }

    /** Makes the refusal of a command whose program cannot be used. */
    public static CommandRefusal notStarted(RpcException told) {
        return new CommandRefusal(NOT_STARTED, told, told);
    }

    private static OptionalLong errno(RpcException e) {
        return e.data().map(ErrorData::members).orElse(Map.of()).get("errno") instanceof Long number
                ? OptionalLong.of(number)
                : OptionalLong.empty();
    }

    private static Status status(RpcException e) {
        Map<String, Object> data = e.data().map(ErrorData::members).orElse(Map.of());
        if (data.containsKey("errno") && data.containsKey("what")) {
            return NOT_STARTED;
        }
        if (data.get("reason") instanceof String reason) {
            if (NO_ROOM.contains(reason)) {
                return Status.SERVICE_UNAVAILABLE_503;
            }
            if (reason.equals(FLOOR) || reason.equals(Rights.NOT_ALLOWED)) {
                return Status.FORBIDDEN_403;
            }
        }
        return e.code() == ErrorCodes.INTERNAL ? Status.INTERNAL_SERVER_ERROR_500 : Status.BAD_REQUEST_400;
    }

    public Status status() {
        return status;
    }

    /** Returns the reason why the program or the directory cannot be used; empty if it is something else. */
    public OptionalLong errno() {
        return errno;
    }

    public RpcException error() {
        return error;
    }

    FileRefusal answer() {
        return new FileRefusal(status, error);
    }
}
