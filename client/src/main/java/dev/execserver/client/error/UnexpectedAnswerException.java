package dev.execserver.client.error;

/** Reports an answer of the server that does not have the form of the protocol, or is too large. */
public final class UnexpectedAnswerException extends ExecServerException {

    private static final long serialVersionUID = 1L;

    public UnexpectedAnswerException(String method, Throwable cause) {
        super("answer to " + method + " cannot be read: " + cause.getMessage(), cause);
    }

    /** @param fault error in the answer, in words */
    public UnexpectedAnswerException(String method, String fault) {
        super("answer to " + method + " is not taken: " + fault);
    }
}
