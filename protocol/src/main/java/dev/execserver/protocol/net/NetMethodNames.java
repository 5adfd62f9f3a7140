package dev.execserver.protocol.net;

/** Names of the methods and notifications for the network. */
public final class NetMethodNames {

    public static final String HTTP_REQUEST = "http/request";

    /** Addition: ends a streamed response early. */
    public static final String HTTP_CANCEL = "http/request/cancel";

    /** Notification of the server: a piece of a streamed body. */
    public static final String BODY_DELTA = "http/request/bodyDelta";

    /** Request of the server to the client: asks if a process may connect to a host. */
    public static final String POLICY_REQUEST = "network/policyRequest";

    /** Notification of the server: a decision of the proxy of a process. */
    public static final String POLICY_DECISION = "network/policyDecision";

    private NetMethodNames() {}
}
