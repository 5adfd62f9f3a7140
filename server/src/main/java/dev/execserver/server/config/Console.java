package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * Settings of the console, the page for people with a browser.
 *
 * @param mode what people may do there
 * @param origins of the page, besides the server's own
 */
public record Console(Mode mode, List<String> origins) {
    public static final Console DEFAULTS = new Console(Mode.OFF, List.of());

    /** Extent of what people may do in the console, within the rights of their credential. */
    public enum Mode {
        OFF,
        /** They look. */
        ON,
        /** They run programs and change files too. */
        WRITE
    }

    public Console {
        requireNonNull(mode, "mode");
        origins = List.copyOf(origins);
    }
}
