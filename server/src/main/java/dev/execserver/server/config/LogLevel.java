package dev.execserver.server.config;

/** How much the server says on stderr. At {@link #WARN}, the default, a healthy server says nothing. */
public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE;

    public static final LogLevel DEFAULT = WARN;
}
