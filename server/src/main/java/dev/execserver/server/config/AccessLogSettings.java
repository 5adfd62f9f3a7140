package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Settings of the access log.
 *
 * @param format form of a line
 * @param file file to append to; standard error if empty
 * @param arguments amount of a command's arguments in the log
 */
public record AccessLogSettings(Format format, Optional<Path> file, Arguments arguments) {
    /** Form of a line. */
    public enum Format {
        /** No log. */
        OFF,
        /** Names and values. */
        TEXT,
        /** JSON objects. */
        JSON
    }

    /** Amount of a command's arguments in the log. */
    public enum Arguments {
        /** Program and arguments. */
        FULL,
        /** The program. */
        PROGRAM,
        /** Neither. */
        NONE
    }

    public static final Format DEFAULT_FORMAT = Format.OFF;
    public static final Arguments DEFAULT_ARGUMENTS = Arguments.FULL;

    public static final AccessLogSettings DEFAULTS =
            new AccessLogSettings(DEFAULT_FORMAT, Optional.empty(), DEFAULT_ARGUMENTS);

    public AccessLogSettings {
        requireNonNull(format, "format");
        requireNonNull(arguments, "arguments");
        file = file.map(Path::toAbsolutePath);
        if (format == Format.OFF && file.isPresent()) {
            throw new IllegalArgumentException("a file of the access log needs a format that is not off");
        }
    }

    /** Returns true if the server keeps an access log. */
    public boolean on() {
        return format != Format.OFF;
    }
}
