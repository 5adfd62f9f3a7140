package dev.execserver.protocol.app;

import dev.execserver.protocol.rpc.MessageBuffer;

/**
 * Notification {@code process/exited} of the app-server dialect. In the other dialect a notification of that name has
 * other members.
 *
 * @param stdout captured text; empty if it was streamed
 */
public record SpawnExited(
        String processHandle,
        int exitCode,
        boolean outputDrainTimedOut,
        String stdout,
        boolean stdoutCapReached,
        String stderr,
        boolean stderrCapReached) {

    /** Appends the complete message. */
    public void encode(MessageBuffer out, long emittedAtMs) {
        out.ascii("{\"method\":\"" + AppMethodNames.SPAWN_EXITED + "\",\"params\":{\"processHandle\":");
        out.string(processHandle);
        out.ascii(",\"exitCode\":");
        out.number(exitCode);
        out.ascii(",\"outputDrainTimedOut\":");
        out.bool(outputDrainTimedOut);
        out.ascii(",\"stdout\":");
        out.string(stdout);
        out.ascii(",\"stdoutCapReached\":");
        out.bool(stdoutCapReached);
        out.ascii(",\"stderr\":");
        out.string(stderr);
        out.ascii(",\"stderrCapReached\":");
        out.bool(stderrCapReached);
        out.ascii("},\"emittedAtMs\":");
        out.number(emittedAtMs);
        out.write('}');
    }
}
