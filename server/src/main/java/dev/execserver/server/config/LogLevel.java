package dev.execserver.server.config;

/** Verbosity of the server's log on stderr. At {@link #WARN}, the default, a healthy server logs nothing. */
public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE;

    public static final LogLevel DEFAULT = WARN;
}
