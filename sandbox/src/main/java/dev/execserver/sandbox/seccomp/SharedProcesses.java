package dev.execserver.sandbox.seccomp;

import java.util.List;

/**
 * Rules for commands without a PID namespace, which see the processes of their user, this server among them. They deny the
 * calls with which a process can affect another one of the same user. Calls for the caller itself stay allowed if an argument
 * shows it (pid 0, or a null pointer for new limits). Arguments cannot show it for signals, because a process names its
 * children by pid; Landlock 6 confines signals. For ptrace(2), process_vm_readv(2) and /proc/PID/mem, the kernel itself
 * compares user namespaces or Landlock domains.
 */
final class SharedProcesses {
    /** Calls that are allowed only for the caller itself: the first argument must be 0. */
    private static final List<String> FIRST_IS_ZERO = List.of(
            "sched_setaffinity",
            "sched_setscheduler",
            "sched_setparam",
            "sched_setattr",
            "migrate_pages",
            "move_pages");

    /** Calls that serve only to affect other processes. */
    private static final List<String> NEVER = List.of("pidfd_getfd", "kcmp", "process_madvise", "process_mrelease");

    /** Calls for objects of the IPC namespace, which the host shares unless the command has its own. */
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

    private SharedProcesses() {}

    /**
     * Adds the rules to a filter.
     *
     * @param ipcToo true if the command is also in the host's IPC namespace
     */
    static void deny(Bpf bpf, Machine machine, boolean ipcToo, int denial) {
        NEVER.forEach(call -> never(bpf, machine.number(call), denial));
        if (ipcToo) {
            IPC_OBJECTS.forEach(call -> never(bpf, machine.number(call), denial));
        }
        FIRST_IS_ZERO.forEach(call -> ofItself(bpf, machine.number(call), denial));
        ofOneProcess(bpf, machine.number("setpriority"), PRIO_PROCESS, denial);
        ofOneProcess(bpf, machine.number("ioprio_set"), IOPRIO_WHO_PROCESS, denial);
        limits(bpf, machine.number("prlimit64"), denial);
    }

    private static void never(Bpf bpf, int call, int denial) {
        bpf.skipUnlessEqual(call, 1).answer(denial);
    }

    /** Allows the call only with pid 0. A pid is an int, so the lower half counts. */
    private static void ofItself(Bpf bpf, int call, int denial) {
        bpf.skipUnlessEqual(call, 4)
                .load(Bpf.argument(0))
                .skipIfEqual(0, 1)
                .answer(denial)
                .answer(Bpf.ALLOW);
    }

    /**
     * Allows the call only for the caller itself. Groups and users are denied, because the group can be that of the starter.
     */
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
     * Checks prlimit(2). New limits, a pointer of which both halves count, are allowed only for the caller itself and never
     * for the mark. Reading the limits of others is allowed.
     */
    private static void limits(Bpf bpf, int call, int denial) {
        bpf.skipUnlessEqual(call, 11)
                .load(Bpf.argument(1))
                .skipIfEqual(MarkRules.RLIMIT_RTTIME, 3)
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
