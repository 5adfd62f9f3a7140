package dev.execserver.protocol.environment;

/** Names of the methods that describe the server; their params are ignored. */
public final class EnvironmentMethodNames {

    public static final String INFO = "environment/info";

    /** Answers at once; used as a health check. */
    public static final String STATUS = "environment/status";

    /** Settings of a client that lie on the server's host. */
    public static final String CONFIG_READ = "environmentConfig/read";

    /** Additive: what the machine has for sandboxes. */
    public static final String SANDBOX_STATUS = "sandbox/status";

    private EnvironmentMethodNames() {}
}
