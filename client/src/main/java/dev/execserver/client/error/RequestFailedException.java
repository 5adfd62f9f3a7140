package dev.execserver.client.error;

import java.util.Optional;
import java.util.OptionalInt;

/** Reports that the server answered a request with an error. */
public final class RequestFailedException extends ExecServerException {
    private static final Optional<String> FLOOR = Optional.of("sandboxFloor");

    private static final long serialVersionUID = 1L;

    private final String method;
    private final int code;
    private final String serverMessage;
    private final transient Details details;

    /**
     * Data of an error, which only servers with additions send.
     *
     * @param reason name of a cause that a program can handle
     * @param errno error number of the kernel, see errno(3)
     * @param what kind of the object that caused it, {@code program} or {@code cwd} for example
     * @param path the object
     * @param warnings about the params of the request, from a server that was started with {@code --strict-members warn}
     */
    public record Details(
            Optional<String> reason,
            OptionalInt errno,
            Optional<String> what,
            Optional<String> path,
            Optional<String> warnings) {
        public static final Details NONE =
                new Details(Optional.empty(), OptionalInt.empty(), Optional.empty(), Optional.empty());

        public Details(Optional<String> reason, OptionalInt errno, Optional<String> what, Optional<String> path) {
            this(reason, errno, what, path, Optional.empty());
        }
    }

    /** @param subject object of the request, such as the path of a file; empty if the message contains it */
    public RequestFailedException(String method, String subject, int code, String serverMessage, Details details) {
        super(method + (subject.isEmpty() ? "" : " " + subject) + ": " + serverMessage + " (" + code + ")");
        this.method = method;
        this.code = code;
        this.serverMessage = serverMessage;
        this.details = details;
    }

    public String method() {
        return method;
    }

    /** Returns one of {@link dev.execserver.protocol.rpc.ErrorCodes}. */
    public int code() {
        return code;
    }

    /** Returns the server's own text as it came, with its control characters; {@link #getMessage} shows it without them. */
    public String serverMessage() {
        return serverMessage;
    }

    /**
     * Returns the name of a cause that a program can handle, such as {@code stdinFull}; see docs/protocol-additions.md.
     */
    public Optional<String> reason() {
        return details.reason();
    }

    /** Returns true if the server's operator requires a sandbox, and the request had none or one that permits too much. */
    public boolean refusedByFloor() {
        return reason().equals(FLOOR);
    }

    /** Returns further data about the cause. */
    public Details details() {
        return details;
    }
}
