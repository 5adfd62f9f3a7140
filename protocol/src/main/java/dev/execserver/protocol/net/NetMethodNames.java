package dev.execserver.protocol.net;

/** Names of the methods and notifications that have to do with the network. */
public final class NetMethodNames {

    public static final String HTTP_REQUEST = "http/request";

    /** Addition: ends a streamed response early. */
    public static final String HTTP_CANCEL = "http/request/cancel";

    /** Notification of the server: a piece of a streamed body. */
    public static final String BODY_DELTA = "http/request/bodyDelta";

    /** Request of the server to the client: may a process connect to this host? */
    public static final String POLICY_REQUEST = "network/policyRequest";

    /** Notification of the server: what the proxy of a process has decided. */
    public static final String POLICY_DECISION = "network/policyDecision";

    private NetMethodNames() {}
}
