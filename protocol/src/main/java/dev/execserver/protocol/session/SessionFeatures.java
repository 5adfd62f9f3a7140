package dev.execserver.protocol.session;

/**
 * Names in {@code features} for additions to params and results of {@code initialize}. A method that is an addition has its own name as
 * its feature.
 */
public final class SessionFeatures {

    /** Addition: time to live of a session without a connection. */
    public static final String TTL = "sessionTtlMs";

    /** Addition: resuming a session that has a connection. */
    public static final String TAKEOVER = "takeover";

    /** Addition: name of a session for people. */
    public static final String NAME = "sessionName";

    private SessionFeatures() {}
}
