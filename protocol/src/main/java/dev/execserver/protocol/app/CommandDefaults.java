package dev.execserver.protocol.app;

/** Limits of commands that name none. */
public final class CommandDefaults {

    /** Output that is kept or sent, in bytes for each stream. */
    public static final long OUTPUT_BYTES_CAP = 1 << 20;

    /** Time that a command has, in milliseconds. */
    public static final long TIMEOUT_MS = 10_000;

    private CommandDefaults() {}
}
