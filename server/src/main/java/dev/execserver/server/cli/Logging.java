package dev.execserver.server.cli;

import dev.execserver.server.config.LogLevel;
import java.util.Locale;

/**
 * Sets up SLF4J's simple logger, which writes to stderr, through {@link LogStream}. It reads its settings from system properties when the first
 * logger is made, so this has to be called before; a property that is set already, with {@code -D}, wins.
 */
final class Logging {
    private static final String PREFIX = "org.slf4j.simpleLogger.";

    private Logging() {}

    static void configure(LogLevel level) {
        LogStream.install();
        set("defaultLogLevel", name(level));
        // What Helidon says at "info" is about itself, for example its version at every start.
        set("log.io.helidon", name(level.compareTo(LogLevel.INFO) == 0 ? LogLevel.WARN : level));
        // Peers that send half a request, or none at all, are no warning: anybody could fill the log. What our own
        // endpoints fail with is logged by them.
        set(
                "log.io.helidon.webserver.http1.Http1Connection",
                name(level.compareTo(LogLevel.DEBUG) >= 0 ? level : LogLevel.ERROR));
        // A connection that goes away while the listener stops is no error.
        set("log.io.helidon.webserver.ServerListener", "off");
        set("logFile", "System.err");
        set("showDateTime", "true");
        set("dateTimeFormat", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
        set("showShortLogName", "true");
    }

    private static String name(LogLevel level) {
        return level.name().toLowerCase(Locale.ROOT);
    }

    private static void set(String name, String value) {
        if (System.getProperty(PREFIX + name) == null) {
            System.setProperty(PREFIX + name, value);
        }
    }
}
