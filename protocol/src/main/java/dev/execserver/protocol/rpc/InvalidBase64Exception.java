package dev.execserver.protocol.rpc;

/** Error for text that is not Base64. The message has the first fault and its offset in the text. */
public final class InvalidBase64Exception extends Exception {

    private static final long serialVersionUID = 1L;

    InvalidBase64Exception(String message) {
        super(message, null, false, false);
    }
}
