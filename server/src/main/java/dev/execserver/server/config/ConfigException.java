package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

/** A configuration that the server does not accept. The message is meant for the person who wrote that configuration. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What the program's exit status says about it. */
    public enum Kind {
        /** The command is written wrongly: exit status 2. */
        USAGE,
        /** The same, but launchers know the text, and with it exit status 1: `--listen` and the `--ws-*` options. */
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

    /** As {@link #usage}, in words that launchers know. */
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
