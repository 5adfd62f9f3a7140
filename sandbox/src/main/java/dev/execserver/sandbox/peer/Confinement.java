package dev.execserver.sandbox.peer;

import dev.execserver.sandbox.linux.ProcStatus;
import java.util.Optional;

/**
 * Tells the processes that a sandbox may confine from those that none does. Every sandboxed command, of this server and of all others, has
 * no_new_privs and a system call filter of its own. A process can rid itself of neither, and its children inherit both, so whoever lacks
 * one of them is no sandboxed command, wherever it was forked, whatever namespaces it has made and whoever adopted it.
 *
 * <p>A server that was itself started with both (in a container, say) compares the number of filters with its own.
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

    /** Returns true if a process with this status may be a sandboxed command. */
    boolean confined(ProcStatus process) {
        if (!process.noNewPrivileges() || !process.filtered()) {
            return false;
        }
        return own.filters().isEmpty()
                || process.filters().isEmpty()
                || process.filters().getAsInt() > own.filters().getAsInt();
    }

    /** Returns true if the process belongs to the server's user. */
    boolean ofThisUser(ProcStatus process) {
        return ofThisUser(process.realUid()) || ofThisUser(process.effectiveUid());
    }

    /** Returns true if the user is the server's. */
    boolean ofThisUser(int uid) {
        return uid == own.realUid() || uid == own.effectiveUid();
    }
}
