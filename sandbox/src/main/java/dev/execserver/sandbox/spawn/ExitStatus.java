package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.ProcessCalls;

/**
 * The end of a child and its resource use, which includes all descendants that it had waited for.
 *
 * @param code 0 to 255; 128 + N if signal N ended it, as in shells
 * @param signaled true if a signal ended it
 * @param signal number of that signal, else 0
 * @param userMicros processor time in user mode, microseconds
 * @param systemMicros processor time in the kernel, microseconds
 * @param maxRssKib largest resident set of any of them, KiB
 */
public record ExitStatus(int code, boolean signaled, int signal, long userMicros, long systemMicros, long maxRssKib) {
    /** Exit code of a child whose status was collected by other code of this JVM. */
    public static final int UNKNOWN_CODE = 255;

    static ExitStatus of(ProcessCalls.Reaped reaped) {
        int signal = reaped.exited() ? 0 : reaped.status();
        int code = reaped.exited() ? reaped.status() : 128 + signal;
        return new ExitStatus(
                code, !reaped.exited(), signal, reaped.userMicros(), reaped.systemMicros(), reaped.maxRssKib());
    }

    /** Returns the same end with the exit code that another program has reported. */
    public ExitStatus reported(int other) {
        return new ExitStatus(other, false, 0, userMicros, systemMicros, maxRssKib);
    }

    static ExitStatus unknown() {
        return new ExitStatus(UNKNOWN_CODE, false, 0, 0, 0, 0);
    }
}
