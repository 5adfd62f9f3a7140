package dev.execserver.protocol.session;

/** Method names of the handshake. */
public final class SessionMethodNames {

    public static final String INITIALIZE = "initialize";

    /** Notification of the client that it has the answer to {@link #INITIALIZE}; its params are ignored. */
    public static final String INITIALIZED = "initialized";

    private SessionMethodNames() {}
}
