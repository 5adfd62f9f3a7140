package dev.execserver.server.transport.mcp;

/** Refusal of an HTTP request with its status. */
public final class McpRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final int code;

    /** @param code of the JSON-RPC error in the answer */
    public McpRefusal(int status, int code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
    }

    int status() {
        return status;
    }

    int code() {
        return code;
    }
}
