package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.LimitCalls;
import dev.execserver.sandbox.linux.LimitCalls.Limit;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;

/**
 * The soft limit of open descriptors (RLIMIT_NOFILE). The server needs a high one. Its children get the limit with which the
 * server was started, because a high limit hurts programs that use select(2) or close every possible number. Unless
 * -XX:-MaxFDLimit is given, the JVM raises its soft limit at its start, so the original one can be unknown. Then the limit of
 * the parent process is used, which is usually the same. Any thread; the value is set once, when the class is loaded.
 */
public final class FileLimit {
    private static final long ORIGINAL_SOFT = learn();

    private FileLimit() {}

    /** Returns the soft limit with which this server was started, as far as it is known; children get it. */
    public static long originalSoft() {
        return ORIGINAL_SOFT;
    }

    /** Raises the soft limit of this process to its hard limit. A server calls it once at its start. */
    public static void raiseForServer() {
        Limit own = LimitCalls.own(LimitCalls.RLIMIT_NOFILE);
        LimitCalls.setOwn(LimitCalls.RLIMIT_NOFILE, own.withSoft(own.hard()));
    }

    static long originalSoft(Limit own, Limit parent) {
        boolean raised = own.soft() == own.hard() && parent.hard() == own.hard();
        return raised && Long.compareUnsigned(parent.soft(), own.soft()) < 0 ? parent.soft() : own.soft();
    }

    private static long learn() {
        Limit own = LimitCalls.own(LimitCalls.RLIMIT_NOFILE);
        return originalSoft(
                own, ProcFiles.openFilesLimit(ProcessCalls.parentPid()).orElse(own));
    }
}
