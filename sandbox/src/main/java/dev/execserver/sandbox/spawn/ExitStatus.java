package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.ProcessCalls;

/**
 * How a child ended and what it used, with all descendants it had waited for.
 *
 * @param code 0 to 255; 128 + N when signal N ended it, as shells say it
 * @param signaled whether a signal ended it
 * @param signal number of that signal, else 0
 * @param userMicros processor time in user mode, microseconds
 * @param systemMicros processor time in the kernel, microseconds
 * @param maxRssKib largest resident set of any of them, KiB
 */
public record ExitStatus(int code, boolean signaled, int signal, long userMicros, long systemMicros, long maxRssKib) {
    /** Code of a child whose status somebody else has collected. */
    public static final int UNKNOWN_CODE = 255;

    static ExitStatus of(ProcessCalls.Reaped reaped) {
        int signal = reaped.exited() ? 0 : reaped.status();
        int code = reaped.exited() ? reaped.status() : 128 + signal;
        return new ExitStatus(
                code, !reaped.exited(), signal, reaped.userMicros(), reaped.systemMicros(), reaped.maxRssKib());
    }

    static ExitStatus unknown() {
        return new ExitStatus(UNKNOWN_CODE, false, 0, 0, 0, 0);
    }
}
