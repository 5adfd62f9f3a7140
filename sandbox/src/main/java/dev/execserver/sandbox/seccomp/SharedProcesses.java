package dev.execserver.sandbox.seccomp;

import java.util.List;

/**
 * Rules for commands that have no PID namespace and see the processes of their user, this server among them: what the kernel lets any
 * process do to another one of the same user. Calls for the caller itself stay allowed, as far as an argument tells them (0, and a null
 * pointer for new limits). Signals cannot be told by their arguments, since a process names its children by number: Landlock 6 confines
 * them. The kernel compares user namespaces or Landlock domains itself for ptrace(2), process_vm_readv(2) and /proc/PID/mem.
 */
final class SharedProcesses {
    /** Only for oneself: the argument with this index must be 0. */
    private static final List<String> FIRST_IS_ZERO = List.of(
            "sched_setaffinity",
            "sched_setscheduler",
            "sched_setparam",
            "sched_setattr",
            "migrate_pages",
            "move_pages");

    /** Other processes are what they are for. */
    private static final List<String> NEVER = List.of("pidfd_getfd", "kcmp", "process_madvise", "process_mrelease");

    /** Objects that belong to an IPC namespace: shared with the host unless the command has one of its own. */
    private static final List<String> IPC_OBJECTS = List.of(
            "shmget",
            "shmat",
            "shmctl",
            "semget",
            "semop",
            "semtimedop",
            "semctl",
            "msgget",
            "msgsnd",
            "msgrcv",
            "msgctl",
            "mq_open",
            "mq_unlink");

    private static final int PRIO_PROCESS = 0;
    private static final int IOPRIO_WHO_PROCESS = 1;
    private static final int RLIMIT_RTTIME = 15;

    private SharedProcesses() {}

    /** @param ipcToo true when the command is in the host's IPC namespace as well */
    static void deny(Bpf bpf, Machine machine, boolean ipcToo, int denial) {
        NEVER.forEach(call -> never(bpf, machine.number(call), denial));
        if (ipcToo) {
            IPC_OBJECTS.forEach(call -> never(bpf, machine.number(call), denial));
        }
        FIRST_IS_ZERO.forEach(call -> ofItself(bpf, machine.number(call), denial));
        ofOneProcess(bpf, machine.number("setpriority"), PRIO_PROCESS, denial);
        ofOneProcess(bpf, machine.number("ioprio_set"), IOPRIO_WHO_PROCESS, denial);
        limits(bpf, machine.number("prlimit64"), denial);
        mark(bpf, machine, denial);
    }

    /**
     * The limit by which this server finds what it has started, see {@code ProcessMark}: without it a process would outlive the
     * command, and the server that knows that it is confined.
     */
    private static void mark(Bpf bpf, Machine machine, int denial) {
        bpf.skipUnlessEqual(machine.number("setrlimit"), 4)
                .load(Bpf.argument(0))
                .skipUnlessEqual(RLIMIT_RTTIME, 1)
                .answer(denial)
                .answer(Bpf.ALLOW);
    }

    private static void never(Bpf bpf, int call, int denial) {
        bpf.skipUnlessEqual(call, 1).answer(denial);
    }

    /** A pid is an int: the lower half counts. */
    private static void ofItself(Bpf bpf, int call, int denial) {
        bpf.skipUnlessEqual(call, 4)
                .load(Bpf.argument(0))
                .skipIfEqual(0, 1)
                .answer(denial)
                .answer(Bpf.ALLOW);
    }

    /** Groups and users are denied: the group can be that of whoever started the command. */
    private static void ofOneProcess(Bpf bpf, int call, int process, int denial) {
        bpf.skipUnlessEqual(call, 6)
                .load(Bpf.argument(1))
                .skipUnlessEqual(0, 3)
                .load(Bpf.argument(0))
                .skipUnlessEqual(process, 1)
                .answer(Bpf.ALLOW)
                .answer(denial);
    }

    /**
     * prlimit(2): new limits, a pointer of which both halves count, for itself only and never of the mark; limits of others can
     * be read.
     */
    private static void limits(Bpf bpf, int call, int denial) {
        bpf.skipUnlessEqual(call, 11)
                .load(Bpf.argument(1))
                .skipIfEqual(RLIMIT_RTTIME, 3)
                .load(Bpf.argument(0))
                .skipUnlessEqual(0, 1)
                .answer(Bpf.ALLOW)
                .load(Bpf.argument(2))
                .skipUnlessEqual(0, 3)
                .load(Bpf.argument(2) + 4)
                .skipUnlessEqual(0, 1)
                .answer(Bpf.ALLOW)
                .answer(denial);
    }
}
