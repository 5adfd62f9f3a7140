package dev.execserver.client.error;

/** The server's answer to a request has not the shape that the protocol gives it. */
public final class UnexpectedAnswerException extends ExecServerException {

    private static final long serialVersionUID = 1L;

    public UnexpectedAnswerException(String method, Throwable cause) {
        super("answer to " + method + " cannot be read: " + cause.getMessage(), cause);
    }

    /** @param fault of the answer, in words */
    public UnexpectedAnswerException(String method, String fault) {
        super("answer to " + method + " is not taken: " + fault);
    }
}
