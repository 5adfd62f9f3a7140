package dev.execserver.protocol.rpc;

/**
 * Error for a received message that is not an envelope. The connection answers with id {@link RequestId#MALFORMED} and
 * code {@link ErrorCodes#INVALID_REQUEST}; the text is a prefix for the transport and this message.
 */
public final class MalformedMessageException extends Exception {

    private static final long serialVersionUID = 1L;

    public MalformedMessageException(String message) {
        super(message, null, false, false);
    }
}
