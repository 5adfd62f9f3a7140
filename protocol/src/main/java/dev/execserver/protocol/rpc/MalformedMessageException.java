package dev.execserver.protocol.rpc;

/**
 * A received message is not an envelope. The connection answers it with an error of id {@link RequestId#MALFORMED} and
 * code {@link ErrorCodes#INVALID_REQUEST}, whose text is a prefix that names the transport and this message.
 */
public final class MalformedMessageException extends Exception {

    private static final long serialVersionUID = 1L;

    public MalformedMessageException(String message) {
        super(message, null, false, false);
    }
}
