package dev.execserver.server.cli;

import dev.execserver.server.config.LogLevel;
import dev.execserver.server.environment.JournalStream;
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
        // Libraries say at "info" and "debug" what is of use for their authors: Helidon its version and every look-up
        // of
        // a service, the JDK a stack trace at an ordinary end.
        LogLevel libraries = level == LogLevel.INFO || level == LogLevel.DEBUG ? LogLevel.WARN : level;
        set("log.io.helidon", name(libraries));
        set("log.java", name(libraries));
        set("log.jdk", name(libraries));
        set("log.sun", name(libraries));
        // A peer that sends half a request, or none, is not worth a warning: any peer could fill the log. Our endpoints
        // log their own failures.
        set("log.io.helidon.webserver.http1.Http1Connection", name(level == LogLevel.TRACE ? level : LogLevel.ERROR));
        // A connection that ends while the listener stops is no error.
        set("log.io.helidon.webserver.ServerListener", "off");
        set("logFile", "System.err");
        set("showDateTime", String.valueOf(!JournalStream.isStandardError())); // the journal has times of its own
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
