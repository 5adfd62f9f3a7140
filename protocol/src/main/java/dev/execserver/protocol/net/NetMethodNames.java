package dev.execserver.protocol.net;

/** Names of the methods and notifications that have to do with the network. */
public final class NetMethodNames {

    public static final String HTTP_REQUEST = "http/request";

    /** Addition: ends a streamed response early. */
    public static final String HTTP_CANCEL = "http/request/cancel";

    /** Notification of the server: a piece of a streamed body. */
    public static final String BODY_DELTA = "http/request/bodyDelta";

    private NetMethodNames() {}
}
