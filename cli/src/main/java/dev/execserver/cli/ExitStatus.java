package dev.execserver.cli;

/** Exit statuses of the program. */
public final class ExitStatus {
    public static final int OK = 0;
    public static final int FAILURE = 1;
    public static final int USAGE = 2;
    /** Status that a shell gives for a program that cannot be executed. */
    public static final int NOT_EXECUTABLE = 126;
    /** Status that a shell gives for a program that does not exist. */
    public static final int NOT_FOUND = 127;

    /** Status that a shell gives for a program that wrote to a pipe which nobody reads: 128 + SIGPIPE. */
    public static final int BROKEN_PIPE = 141;

    private ExitStatus() {}
}
