package dev.execserver.sandbox.peer;

import dev.execserver.sandbox.linux.LimitCalls;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcStatus;
import java.util.Optional;

/**
 * Tells sandboxed commands from all other processes. Every sandboxed command, of this server and of all others of its user, has three
 * things that a process cannot rid itself of and that its children inherit: a finite RLIMIT_RTTIME, which is the mark of the server that
 * started it and which the filter keeps ({@code ProcessMark}), no_new_privs, and a system call filter. They tell it wherever it was forked,
 * whatever namespaces it has made, whoever adopted it, and whether or not its server still lives.
 *
 * <p>Sandboxes of others have no mark, and commands without a sandbox have no filter. A server that was itself started with all three (by
 * another one, or in a container) compares the number of filters with its own.
 */
final class Confinement {
    private final ProcStatus own;

    /** @param own status of the server, whose restrictions all its commands have too */
    Confinement(ProcStatus own) {
        this.own = own;
    }

    /** Why the question has no answer here; empty when it has. */
    Optional<String> obstacle() {
        return own.noNewPrivileges() && own.filtered() && own.filters().isEmpty()
                ? Optional.of(
                        "the server itself runs with no_new_privs and a system call filter, and the kernel does not"
                                + " count filters (Seccomp_filters in /proc/PID/status, Linux 5.9)")
                : Optional.empty();
    }

    /** Returns true if the process is a sandboxed command. Costs one system call for almost all others. */
    boolean confined(int pid) {
        return marked(pid) && ProcStatus.of(pid).filter(this::restricted).isPresent();
    }

    /** A process that is gone is none. */
    private static boolean marked(int pid) {
        long soft = LimitCalls.softOrError(pid, LimitCalls.RLIMIT_RTTIME);
        return soft == LimitCalls.HIDDEN
                ? ProcFiles.realtimeLimit(pid) != 0
                : soft != 0 && soft != LimitCalls.UNLIMITED;
    }

    /** Returns true if a process with this status has no_new_privs and a filter that the server has not. */
    boolean restricted(ProcStatus process) {
        if (!process.noNewPrivileges() || !process.filtered()) {
            return false;
        }
        return own.filters().isEmpty()
                || process.filters().isEmpty()
                || process.filters().getAsInt() > own.filters().getAsInt();
    }

    /** Returns true if the process belongs to the server's user. */
    boolean ofThisUser(int pid) {
        return ProcStatus.of(pid)
                .filter(status -> isThisUser(status.realUid()) || isThisUser(status.effectiveUid()))
                .isPresent();
    }

    /** Returns true if the user is the server's. */
    boolean isThisUser(int uid) {
        return uid == own.realUid() || uid == own.effectiveUid();
    }
}
