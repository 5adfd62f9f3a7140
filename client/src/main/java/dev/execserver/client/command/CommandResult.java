package dev.execserver.client.command;

/**
 * Result of a command.
 *
 * @param exitCode its status; 128 + N if signal N ended it, {@link #TIMED_OUT} if its time was over
 * @param stdout text; bytes that are not UTF-8 became U+FFFD
 * @param stdoutTruncated true if output was dropped
 * @param timedOut true if its time was over
 */
public record CommandResult(
        int exitCode,
        String stdout,
        String stderr,
        boolean stdoutTruncated,
        boolean stderrTruncated,
        boolean timedOut) {

    /** Exit code of a command whose time was over. */
    public static final int TIMED_OUT = 124;

    /** Returns true if the command ended with status 0. */
    public boolean successful() {
        return exitCode == 0;
    }
}
