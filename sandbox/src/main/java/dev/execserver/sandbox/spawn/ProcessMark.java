package dev.execserver.sandbox.spawn;

/**
 * What every descendant of one started process inherits and cannot shed by setsid(2) or by being reparented: a value of its
 * soft RLIMIT_RTTIME, unique in this server and shown by prlimit(2) and /proc/PID/limits. The limit counts microseconds
 * under a real-time policy; at 10^17 it has no effect. A hostile program could change it, so this serves tidiness, not
 * security.
 *
 * @param value 18 decimal digits, the first nine common to the server; 0 for no mark
 */
public record ProcessMark(long value) {
    /** The process bears none: only its group, session and descendants can be found. */
    public static final ProcessMark NONE = new ProcessMark(0);

    public boolean present() {
        return value != 0;
    }
}
