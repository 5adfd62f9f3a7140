package dev.execserver.sandbox.seccomp;

import java.util.ArrayList;
import java.util.List;

/**
 * The kind of network that a system call filter leaves to a command. {@link #RESTRICTED} also works without a network
 * namespace; the proxy modes are used only inside of one.
 */
public enum FilterMode {
    /** No network: Unix sockets can be made and used in pairs, but cannot be connected or bound. */
    RESTRICTED(
            List.of("connect", "accept", "accept4", "bind", "listen", "sendmmsg", "recvmmsg"),
            Reach.SPIES_DENIED,
            Sockets.UNIX,
            Sockets.UNIX),
    /** Network only through a managed proxy on the loopback interface. */
    PROXY_ROUTED(List.of(), Reach.SPIES_DENIED, Sockets.INTERNET, Sockets.UNIX),
    /**
     * As PROXY_ROUTED, and streams of Unix sockets can be made. Only for a command whose every connect(2) is made by
     * {@link dev.execserver.sandbox.connect.ConnectExaminer}.
     */
    PROXY_ROUTED_WITH_LISTED_UNIX(List.of(), Reach.SPIES_DENIED, Sockets.INTERNET, Sockets.UNIX),
    /** As PROXY_ROUTED, with all uses of Unix sockets allowed. */
    PROXY_ROUTED_WITH_UNIX(List.of(), Reach.SPIES_DENIED, Sockets.INTERNET_AND_UNIX, Sockets.UNIX),
    /** Full network, but no access to other guests of the hypervisor. */
    VM_SOCKET_RESTRICTED(List.of(), Reach.SPIES_ALLOWED, Sockets.NO_VSOCK, Sockets.NO_VSOCK);

    /**
     * Denied in every mode. io_uring makes calls that pass no filter. Keyrings belong to the user, not to the sandbox.
     * setns(2) needs capabilities, which only a namespace made before could give (see {@link NamespaceRules}). The others are
     * attack surface without use in a sandbox.
     */
    private static final List<String> ALWAYS = List.of(
            "io_uring_setup",
            "io_uring_enter",
            "io_uring_register",
            "add_key",
            "request_key",
            "keyctl",
            "bpf",
            "perf_event_open",
            "userfaultfd",
            "setns");

    /** Calls that change files without Landlock seeing it. Some older names exist on x86-64 only. */
    static final List<String> METADATA = List.of(
            "chmod",
            "fchmod",
            "fchmodat",
            "fchmodat2",
            "chown",
            "fchown",
            "lchown",
            "fchownat",
            "utime",
            "utimes",
            "futimesat",
            "utimensat",
            "setxattr",
            "lsetxattr",
            "fsetxattr",
            "setxattrat",
            "removexattr",
            "lremovexattr",
            "fremovexattr",
            "removexattrat",
            "file_setattr");

    /** Calls that read or control other processes. */
    private static final List<String> SPIES = List.of("ptrace", "process_vm_readv", "process_vm_writev");

    private final List<String> network;
    private final Reach reach;
    private final Sockets sockets;
    private final Sockets pairs;

    private enum Reach {
        SPIES_ALLOWED,
        SPIES_DENIED
    }

    /** Address families that socket(2) or socketpair(2) may be called with. */
    enum Sockets {
        UNIX(true, Family.UNIX),
        INTERNET(true, Family.INET, Family.INET6),
        INTERNET_AND_UNIX(true, Family.INET, Family.INET6, Family.UNIX),
        NO_VSOCK(false, Family.VSOCK);

        private final boolean listed;
        private final int[] families;

        Sockets(boolean listed, int... families) {
            this.listed = listed;
            this.families = families;
        }

        /** Returns true if only the families are allowed; false if only they are denied. */
        boolean listed() {
            return listed;
        }

        int[] families() {
            return families.clone();
        }
    }

    private static final class Family {
        static final int UNIX = 1;
        static final int INET = 2;
        static final int INET6 = 10;
        static final int VSOCK = 40;
    }

    FilterMode(List<String> network, Reach reach, Sockets sockets, Sockets pairs) {
        this.network = network;
        this.reach = reach;
        this.sockets = sockets;
        this.pairs = pairs;
    }

    /** Returns the calls that fail with EPERM for any arguments. */
    List<String> denied() {
        List<String> denied = new ArrayList<>(network);
        denied.addAll(ALWAYS);
        if (reach == Reach.SPIES_DENIED) {
            denied.addAll(SPIES);
        }
        return denied;
    }

    /** Returns true if sendto(2) must have no destination. Then it is send(2), which a socket pair needs. */
    boolean sendsToPeerOnly() {
        return this == RESTRICTED;
    }

    /**
     * Returns true if a pair of Unix sockets must be of streams. A datagram socket could be connected to any socket file, or
     * send there, and a filter cannot tell those calls from the same calls on UDP.
     */
    boolean streamPairsOnly() {
        return this == PROXY_ROUTED || this == PROXY_ROUTED_WITH_LISTED_UNIX;
    }

    /** Returns true if a Unix socket can be made when it is of streams. One of datagrams sends to any file without connect(2). */
    boolean unixStreams() {
        return this == PROXY_ROUTED_WITH_LISTED_UNIX;
    }

    Sockets sockets() {
        return sockets;
    }

    Sockets pairs() {
        return pairs;
    }
}
