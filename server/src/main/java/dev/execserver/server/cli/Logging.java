package dev.execserver.server.cli;

import dev.execserver.server.config.LogLevel;
import java.util.Locale;

/**
 * Sets up SLF4J's simple logger, which writes to stderr through {@link LogStream}. Call it before the first logger is
 * made, because the logger then reads its settings from system properties. A property that was set with {@code -D}
 * wins.
 */
final class Logging {
    private static final String PREFIX = "org.slf4j.simpleLogger.";

    private Logging() {}

    static void configure(LogLevel level) {
        LogStream.install();
        set("defaultLogLevel", name(level));
        // Messages of Helidon at "info" are about Helidon itself, for example its version at every start.
        set("log.io.helidon", name(level.compareTo(LogLevel.INFO) == 0 ? LogLevel.WARN : level));
        // A peer that sends half a request, or none, is not worth a warning: any peer could fill the log. Our endpoints
        // log their own failures.
        set(
                "log.io.helidon.webserver.http1.Http1Connection",
                name(level.compareTo(LogLevel.DEBUG) >= 0 ? level : LogLevel.ERROR));
        // A connection that ends while the listener stops is no error.
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
