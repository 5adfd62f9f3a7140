package dev.execserver.protocol.environment;

/** Names of the methods that describe the server; their params are ignored. */
public final class EnvironmentMethodNames {

    public static final String INFO = "environment/info";

    /** Answers at once; used as a health check. */
    public static final String STATUS = "environment/status";

    /** Reads settings of a client that are stored on the server's host. */
    public static final String CONFIG_READ = "environmentConfig/read";

    /** Addition: reports which sandbox features the machine has. */
    public static final String SANDBOX_STATUS = "sandbox/status";

    /** Addition: describes the methods as OpenRPC. */
    public static final String DISCOVER = "rpc.discover";

    private EnvironmentMethodNames() {}
}
