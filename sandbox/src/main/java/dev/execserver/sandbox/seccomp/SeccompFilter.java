package dev.execserver.sandbox.seccomp;

import dev.execserver.sandbox.linux.Errno;
import java.util.List;

/**
 * The system call filter of one mode: everything is allowed except the calls that the mode denies with EPERM. A program for
 * another architecture, such as a 32-bit one, is killed at its first call, because its numbers mean other calls. Stateless.
 */
public final class SeccompFilter {
    /** __X32_SYSCALL_BIT: the same calls under other numbers, which a list of numbers would miss. */
    static final int X32_BIT = 0x40000000;

    private static final int AF_UNIX = 1;
    private static final int TIOCSTI = 0x5412;
    private static final int TIOCLINUX = 0x541c;
    private static final int SOCK_TYPE_MASK = 0xf;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_SEQPACKET = 5;
    private static final int DENY = Bpf.error(Errno.EPERM);

    private SeccompFilter() {}

    /**
     * Returns the filter for commands that see no processes but their own, as instructions of struct sock_filter in the byte
     * order of the machine.
     */
    public static byte[] assemble(FilterMode mode, Machine machine) {
        return assemble(mode, machine, List.of(), Sharing.NOTHING);
    }

    /** Returns the filter for commands that see the processes of their user, but must not affect them. */
    public static byte[] assembleForSharedProcesses(FilterMode mode, Machine machine) {
        return assemble(mode, machine, List.of(), Sharing.PROCESSES);
    }

    /**
     * Returns the filter for commands that share all namespaces with the host. They must not affect other processes, reach an
     * object of the host's IPC namespace, or change mode, owner, time or attributes of a file.
     */
    public static byte[] assembleWithoutNamespaces(FilterMode mode, Machine machine) {
        return assemble(mode, machine, FilterMode.METADATA, Sharing.PROCESSES_AND_IPC);
    }

    /** The namespaces that a command shares with the host. */
    private enum Sharing {
        NOTHING,
        PROCESSES,
        PROCESSES_AND_IPC
    }

    private static byte[] assemble(FilterMode mode, Machine machine, List<String> more, Sharing sharing) {
        Bpf bpf = new Bpf()
                .load(Bpf.ARCHITECTURE)
                .skipIfEqual(machine.auditArchitecture(), 1)
                .answer(Bpf.KILL_PROCESS)
                .load(Bpf.NUMBER);
        if (machine.hasX32()) {
            // A kernel without x32 gives the same answer. A tracer's "skip this call", number -1, gets it too, as it
            // is above the bit.
            bpf.skipUnlessAtLeast(X32_BIT, 1).answer(Bpf.error(Errno.ENOSYS));
        }
        for (String call : mode.denied()) {
            bpf.skipUnlessEqual(machine.number(call), 1).answer(DENY);
        }
        for (String call : more) {
            machine.find(call)
                    .ifPresent(number -> bpf.skipUnlessEqual(number, 1).answer(DENY));
        }
        NamespaceRules.deny(bpf, machine, DENY);
        MarkRules.ofSetrlimit(bpf, machine.number("setrlimit"), DENY);
        if (sharing == Sharing.NOTHING) {
            MarkRules.ofPrlimit(bpf, machine.number("prlimit64"), DENY);
        } else {
            SharedProcesses.deny(bpf, machine, sharing == Sharing.PROCESSES_AND_IPC, DENY);
        }
        terminal(bpf, machine.number("ioctl"));
        if (mode.unixStreams()) {
            unixStream(bpf, machine.number("socket"));
        }
        family(bpf, machine.number("socket"), mode.sockets());
        if (mode.streamPairsOnly()) {
            streamPair(bpf, machine.number("socketpair"));
        } else {
            family(bpf, machine.number("socketpair"), mode.pairs());
        }
        if (mode.sendsToPeerOnly()) {
            destination(bpf, machine.number("sendto"));
        }
        return bpf.answer(Bpf.ALLOW).bytes();
    }

    /**
     * Denies typing into a terminal for its user: TIOCSTI, and the pasting of TIOCLINUX on a console. The request is an
     * unsigned int, so the lower half of the argument counts.
     */
    private static void terminal(Bpf bpf, int call) {
        bpf.skipUnlessEqual(call, 5)
                .load(Bpf.argument(1))
                .skipIfEqual(TIOCSTI, 2)
                .skipIfEqual(TIOCLINUX, 1)
                .answer(Bpf.ALLOW)
                .answer(DENY);
    }

    /** Checks the address family. It is an int, so the kernel and this filter read only the lower half of the argument. */
    private static void family(Bpf bpf, int call, FilterMode.Sockets sockets) {
        int[] families = sockets.families();
        bpf.skipUnlessEqual(call, families.length + 3).load(Bpf.argument(0));
        for (int i = 0; i < families.length; i++) {
            bpf.skipIfEqual(families[i], families.length - i);
        }
        bpf.answer(sockets.listed() ? DENY : Bpf.ALLOW).answer(sockets.listed() ? Bpf.ALLOW : DENY);
    }

    /** Allows SOCK_STREAM of AF_UNIX; says nothing about other sockets. */
    private static void unixStream(Bpf bpf, int call) {
        bpf.skipUnlessEqual(call, 7)
                .load(Bpf.argument(0))
                .skipUnlessEqual(AF_UNIX, 4)
                .load(Bpf.argument(1))
                .and(SOCK_TYPE_MASK)
                .skipUnlessEqual(SOCK_STREAM, 1)
                .answer(Bpf.ALLOW)
                .load(Bpf.NUMBER);
    }

    /**
     * Allows only SOCK_STREAM and SOCK_SEQPACKET of AF_UNIX. Flags are above the type bits. SOCK_RAW would make a datagram
     * socket.
     */
    private static void streamPair(Bpf bpf, int call) {
        bpf.skipUnlessEqual(call, 8)
                .load(Bpf.argument(0))
                .skipUnlessEqual(AF_UNIX, 4)
                .load(Bpf.argument(1))
                .and(SOCK_TYPE_MASK)
                .skipIfEqual(SOCK_STREAM, 2)
                .skipIfEqual(SOCK_SEQPACKET, 1)
                .answer(DENY)
                .answer(Bpf.ALLOW);
    }

    /** Denies a destination. The fifth argument is a pointer, so both halves count. */
    private static void destination(Bpf bpf, int call) {
        bpf.skipUnlessEqual(call, 6)
                .load(Bpf.argument(4))
                .skipUnlessEqual(0, 3)
                .load(Bpf.argument(4) + 4)
                .skipUnlessEqual(0, 1)
                .answer(Bpf.ALLOW)
                .answer(DENY);
    }
}
