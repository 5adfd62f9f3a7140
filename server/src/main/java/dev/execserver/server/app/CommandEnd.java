package dev.execserver.server.app;

import dev.execserver.protocol.app.CommandExecResult;
import dev.execserver.protocol.app.SpawnExited;
import java.util.Optional;

/**
 * The end of a command.
 *
 * @param timedOut true if its time was over
 * @param drainTimedOut true if another process still held its output after the exit
 */
record CommandEnd(
        int exitCode,
        boolean timedOut,
        boolean drainTimedOut,
        String stdout,
        boolean stdoutCapReached,
        String stderr,
        boolean stderrCapReached) {

    /** Exit code of a command that was killed. */
    static final int KILLED = 137;

    /** Exit code of a command whose time was over. */
    static final int TIMED_OUT = 124;

    /** Returns the end of a command that was terminated before it ran. */
    static CommandEnd beforeStart() {
        return new CommandEnd(KILLED, false, false, "", false, "", false);
    }

    /** @param additions true to write the members that only this server has */
    CommandExecResult result(boolean additions) {
        return new CommandExecResult(
                exitCode,
                stdout,
                stderr,
                additions
                        ? Optional.of(new CommandExecResult.Details(
                                stdoutCapReached, stderrCapReached, timedOut, Optional.empty(), drainTimedOut))
                        : Optional.empty());
    }

    SpawnExited exited(String handle) {
        return new SpawnExited(handle, exitCode, drainTimedOut, stdout, stdoutCapReached, stderr, stderrCapReached);
    }
}
