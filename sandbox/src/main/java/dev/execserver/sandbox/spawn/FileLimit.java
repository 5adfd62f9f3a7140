package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.LimitCalls;
import dev.execserver.sandbox.linux.LimitCalls.Limit;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;

/**
 * The limit of open descriptors: a server needs a high one, its children must get the one the server was started with,
 * because programs that use select(2) or close every possible number suffer from a high one. The JVM raises its own soft
 * limit to the hard one at start unless -XX:-MaxFDLimit is given, so what it was can be unknown: then the parent of this
 * process, which usually has the same, is asked. Any thread; the state is set once, when the class is loaded.
 */
public final class FileLimit {
    private static final long ORIGINAL_SOFT = learn();

    private FileLimit() {}

    /** Soft limit this server was started with, as far as can be known; what children get. */
    public static long originalSoft() {
        return ORIGINAL_SOFT;
    }

    /** Raises the soft limit of this process to its hard limit; call it once at start of a server. */
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
