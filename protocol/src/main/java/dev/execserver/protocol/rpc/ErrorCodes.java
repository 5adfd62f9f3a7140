package dev.execserver.protocol.rpc;

/** The six error codes of the protocol. */
public final class ErrorCodes {

    /** Malformed envelope, call out of order, unknown process or session, duplicate id, refused or invalid file operation. */
    public static final int INVALID_REQUEST = -32600;

    public static final int METHOD_NOT_FOUND = -32601;

    /** Params that cannot be decoded, and values that are refused before any effect. */
    public static final int INVALID_PARAMS = -32602;

    /** Failed spawns, failed writes to stdin and every OS error without a code of its own. */
    public static final int INTERNAL = -32603;

    /** A path that does not exist (ENOENT) or an unknown file handle. */
    public static final int NOT_FOUND = -32004;

    /** The session is attached to a live connection; clients retry. */
    public static final int ALREADY_ATTACHED = -32010;

    private ErrorCodes() {}
}
