package dev.execserver.protocol.session;

/** Method names of the handshake and of the session. */
public final class SessionMethodNames {

    public static final String INITIALIZE = "initialize";

    /** Notification of the client that it has received the answer to {@link #INITIALIZE}; its params are ignored. */
    public static final String INITIALIZED = "initialized";

    /** Addition: ends the session of the connection and every process that still runs. */
    public static final String END = "session/end";

    /** Addition: the sessions of the same principal. */
    public static final String LIST = "session/list";

    /** Addition: output of a process of any session of the same principal, without being its client. */
    public static final String OBSERVE = "session/observe";

    private SessionMethodNames() {}
}
