package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

/** Reports a configuration that the server does not accept. The message is meant for the person who wrote it. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Kind of the error, which decides the exit status. */
    public enum Kind {
        /** Wrong usage of the command: exit status 2. */
        USAGE,
        /** Wrong usage of `--listen` or the `--ws-*` options: exit status 1, with a text that launchers know. */
        KNOWN_USAGE,
        /** The command is understood but cannot be carried out: exit status 1. */
        FAILURE
    }

    private final Kind kind;

    private ConfigException(Kind kind, String message) {
        super(requireNonNull(message, "message"));
        this.kind = requireNonNull(kind, "kind");
    }

    public static ConfigException usage(String message) {
        return new ConfigException(Kind.USAGE, message);
    }

    /** Does the same as {@link #usage} for an error whose text launchers know. */
    public static ConfigException knownUsage(String message) {
        return new ConfigException(Kind.KNOWN_USAGE, message);
    }

    public static ConfigException failure(String message) {
        return new ConfigException(Kind.FAILURE, message);
    }

    public Kind kind() {
        return kind;
    }
}
