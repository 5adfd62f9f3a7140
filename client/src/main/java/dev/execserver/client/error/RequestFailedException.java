package dev.execserver.client.error;

import java.util.Optional;

/** The server answered a request with an error. */
public final class RequestFailedException extends ExecServerException {

    private static final long serialVersionUID = 1L;

    private final String method;
    private final int code;
    private final String serverMessage;
    private final String reason;

    /** @param reason the member {@code reason} of the error's data, which only servers with additions send */
    public RequestFailedException(String method, int code, String serverMessage, Optional<String> reason) {
        super(method + ": " + serverMessage + " (" + code + ")");
        this.method = method;
        this.code = code;
        this.serverMessage = serverMessage;
        this.reason = reason.orElse(null);
    }

    public String method() {
        return method;
    }

    /** One of {@link dev.execserver.protocol.rpc.ErrorCodes}. */
    public int code() {
        return code;
    }

    /** The server's own words. */
    public String serverMessage() {
        return serverMessage;
    }

    /** Names a cause that a program can act on, such as {@code stdinFull}; see docs/protocol-additions.md. */
    public Optional<String> reason() {
        return Optional.ofNullable(reason);
    }
}
