package dev.execserver.server.cli;

/** The exit statuses of the program. */
final class ExitStatus {
    static final int OK = 0;
    static final int FAILURE = 1;
    static final int USAGE = 2;
    /** As a shell tells it of a program that cannot be executed. */
    static final int NOT_EXECUTABLE = 126;
    /** The same of one that is missing. */
    static final int NOT_FOUND = 127;

    /** The same of one that wrote to a pipe which nobody reads: 128 + SIGPIPE. */
    static final int BROKEN_PIPE = 141;

    private ExitStatus() {}
}
