package dev.execserver.sandbox.spawn;

/**
 * A value that every descendant of one started process inherits and keeps after setsid(2) or a change of its parent. It is
 * the value of the soft limit RLIMIT_RTTIME, unique in this server and shown by prlimit(2) and /proc/PID/limits. The limit
 * counts microseconds under a real-time policy; at 10^17 it has no effect. A hostile program could change it, so the mark
 * serves cleaning up, not security.
 *
 * @param value 18 decimal digits, the first nine common to the server; 0 for no mark
 */
public record ProcessMark(long value) {
    /** No mark: only the group, session and descendants of the process can be found. */
    public static final ProcessMark NONE = new ProcessMark(0);

    public boolean present() {
        return value != 0;
    }
}
