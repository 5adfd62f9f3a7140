package dev.execserver.client.error;

import dev.execserver.protocol.text.VisibleText;

/** Reports an answer of the server that does not have the form of the protocol, or is too large. */
public final class UnexpectedAnswerException extends ExecServerException {

    private static final long serialVersionUID = 1L;

    public UnexpectedAnswerException(String method, Throwable cause) {
        super("answer to " + method + " cannot be read: " + cause.getMessage(), harmless(cause));
    }

    /** Leaves out a cause with control characters of the server, which a stack trace would show. The message says the same. */
    private static Throwable harmless(Throwable cause) {
        return VisibleText.harmless(String.valueOf(cause.getMessage())) ? cause : null;
    }

    /** @param fault error in the answer, in words */
    public UnexpectedAnswerException(String method, String fault) {
        super("answer to " + method + " is not taken: " + fault);
    }
}
