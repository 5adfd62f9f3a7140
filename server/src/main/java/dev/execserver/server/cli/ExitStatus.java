package dev.execserver.server.cli;

/** The exit statuses of the program. */
final class ExitStatus {
    static final int OK = 0;
    static final int FAILURE = 1;
    static final int USAGE = 2;

    private ExitStatus() {}
}
