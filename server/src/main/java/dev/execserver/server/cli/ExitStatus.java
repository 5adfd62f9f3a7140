package dev.execserver.server.cli;

/** Exit statuses of the program. */
final class ExitStatus {
    static final int OK = 0;
    static final int FAILURE = 1;
    static final int USAGE = 2;
    /** Status that a shell gives for a program that cannot be executed. */
    static final int NOT_EXECUTABLE = 126;
    /** Status that a shell gives for a program that does not exist. */
    static final int NOT_FOUND = 127;

    /** Status that a shell gives for a program that wrote to a pipe which nobody reads: 128 + SIGPIPE. */
    static final int BROKEN_PIPE = 141;

    private ExitStatus() {}
}
