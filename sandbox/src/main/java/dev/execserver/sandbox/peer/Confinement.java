package dev.execserver.sandbox.peer;

import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LimitCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcStatus;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Distinguishes sandboxed commands from all other processes. Every sandboxed command, of this server and of all others, has a finite
 * RLIMIT_RTTIME (the mark of its server, {@code ProcessMark}, which its filter protects), no_new_privs, and its own system call filter. A
 * process can drop none of them, and its children inherit all of them. So they are found whatever its parents and namespaces are, and
 * after the end of its server.
 *
 * <p>Sandboxes of others have no mark, and commands without a sandbox have no filter. A server that was itself started with all three (for
 * example by another server) compares the number of filters with its own.
 */
final class Confinement {
    /** Number of the first PID namespace: PROC_PID_INIT_INO of the kernel's linux/proc_ns.h. */
    private static final long INITIAL_PID_NAMESPACE = 0xEFFF_FFFCL;

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

    /** Returns true if the process is a sandboxed command. Costs one system call for almost all others. */
    boolean confined(int pid) {
        return marked(pid) && ProcStatus.of(pid).filter(this::restricted).isPresent();
    }

    /** Returns true if the process has a finite limit; false if it has ended. */
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

    /**
     * Returns true if the process may have sockets in the network namespace of the server: if it is in that namespace, or it
     * cannot be told.
     */
    boolean sharesNetwork(int pid) {
        try {
            FileStatus here = namespace("self", "net");
            FileStatus there = namespace(Integer.toString(pid), "net");
            return here.inode() == there.inode() && here.device() == there.device();
        } catch (LinuxException e) {
            return true;
        }
    }

    /** Returns true if /proc shows the processes of the whole machine, not only those of a PID namespace below. */
    static boolean seesAllProcesses() {
        return namespace("self", "pid").inode() == INITIAL_PID_NAMESPACE;
    }

    private static FileStatus namespace(String process, String kind) {
        return FileCalls.status(("/proc/" + process + "/ns/" + kind).getBytes(StandardCharsets.US_ASCII), true);
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
