package dev.execserver.sandbox.peer;

import dev.execserver.sandbox.linux.ProcStatus;
import java.util.Optional;

/**
 * Distinguishes processes that a sandbox may confine from others. Every sandboxed command, of this server and of all others,
 * has no_new_privs and its own system call filter. A process can drop neither, and its children inherit both. So a process
 * without one of them is no sandboxed command, whatever its parents and namespaces are.
 *
 * <p>A server that itself runs with both (for example in a container) compares the number of filters with its own.
 */
final class Confinement {
    private final ProcStatus own;

    /** @param own status of the server, whose restrictions all its commands have too */
    Confinement(ProcStatus own) {
        this.own = own;
    }

    /** Returns the reason why processes cannot be distinguished here; empty if they can. */
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
