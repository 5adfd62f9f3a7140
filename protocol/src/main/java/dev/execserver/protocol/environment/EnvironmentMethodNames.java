package dev.execserver.protocol.environment;

/** Names of the {@code environment/*} methods; their params are ignored. */
public final class EnvironmentMethodNames {

    public static final String INFO = "environment/info";

    /** Answers at once; used as a health check. */
    public static final String STATUS = "environment/status";

    private EnvironmentMethodNames() {}
}
