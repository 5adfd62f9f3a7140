package dev.execserver.protocol.rpc;

/** Error for text that is not Base64. The message has the first fault and its offset in the text. */
public final class InvalidBase64Exception extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * Returns the error for params. In the open dialect it names the member; in the strict one it has the text of the
     * reference server.
     */
    public RpcException inParams(String member, Dialect dialect) {
        return dialect.open()
                ? RpcException.invalidParams("`" + member + "` is not valid Base64: " + getMessage())
                        .withData("member", member)
                : RpcException.invalidParams(getMessage());
    }

    InvalidBase64Exception(String message) {
        super(message, null, false, false);
    }
}
