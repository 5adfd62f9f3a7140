package dev.execserver.cli.local;

import static java.util.Objects.requireNonNull;

import dev.execserver.protocol.text.VisibleText;

/**
 * Reports a configuration that the server does not accept. The message is meant for the person who wrote it. It repeats words of
 * that person, which may hold anything, so it is made one harmless line; advice of ours may follow on a second one.
 */
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
        return new ConfigException(Kind.USAGE, VisibleText.oneLine(message));
    }

    /** Does the same as {@link #usage} for an error whose text launchers know. */
    public static ConfigException knownUsage(String message) {
        return new ConfigException(Kind.KNOWN_USAGE, VisibleText.oneLine(message));
    }

    /** @param advice goes on a line of its own, because launchers rely on the first line of the error */
    public static ConfigException knownUsage(String message, String advice) {
        return new ConfigException(Kind.KNOWN_USAGE, twoLines(message, advice));
    }

    public static ConfigException failure(String message) {
        return new ConfigException(Kind.FAILURE, VisibleText.oneLine(message));
    }

    /** @param advice as in {@link #knownUsage(String, String)}; empty if there is none */
    public static ConfigException failure(String message, String advice) {
        return new ConfigException(Kind.FAILURE, twoLines(message, advice));
    }

    private static String twoLines(String message, String advice) {
        String first = VisibleText.oneLine(message);
        return advice.isEmpty() ? first : first + "\n" + VisibleText.oneLine(advice);
    }

    public Kind kind() {
        return kind;
    }
}
