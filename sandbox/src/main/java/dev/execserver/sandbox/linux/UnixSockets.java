package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/** Questions about the other end of a connected Unix socket: SO_PEERCRED of socket(7), and sock_diag(7). Stateless. */
public final class UnixSockets {
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int CREDENTIALS_BYTES = 12;

    private static final int AF_UNIX = 1;
    private static final int AF_NETLINK = 16;
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final int SOCK_RAW_NONBLOCK_CLOEXEC = 3 | 04000 | 02000000;
    private static final short SOCK_DIAG_BY_FAMILY = 20;
    private static final short NLM_F_REQUEST = 1;
    private static final int UDIAG_SHOW_PEER = 4;
    private static final short UNIX_DIAG_PEER = 2;
    /** Size of struct nlmsghdr and struct unix_diag_req. */
    private static final int REQUEST_BYTES = 16 + 24;
    /** Offset of the answer, behind the question. */
    private static final int ANSWER = 256;

    private static final int ANSWER_BYTES = 1024;
    /** Size of struct nlmsghdr and struct unix_diag_msg. */
    private static final int ATTRIBUTES = 16 + 16;

    private UnixSockets() {}

    /**
     * Process and user that have connected, as this process's namespaces show them.
     *
     * @param pid 0 if it is in no PID namespace below this one
     */
    public record Credentials(int pid, int uid, int gid) {}

    /** Returns who has called connect(2). The kernel has noted it then, and it cannot change. */
    public static Credentials credentials(int socket) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            memory.set(JAVA_INT, CREDENTIALS_BYTES, CREDENTIALS_BYTES);
            long result = Kernel.call(
                    scratch,
                    Syscall.GETSOCKOPT,
                    socket,
                    SOL_SOCKET,
                    SO_PEERCRED,
                    memory.address(),
                    memory.address() + CREDENTIALS_BYTES,
                    0);
            Kernel.check(result, Syscall.GETSOCKOPT, socket);
            return new Credentials(memory.get(JAVA_INT, 0), memory.get(JAVA_INT, 4), memory.get(JAVA_INT, 8));
        }
    }

    /**
     * Returns the inode of the socket at the other end. Empty if that end is closed, or in another network namespace.
     *
     * @throws LinuxException if the kernel cannot be asked
     */
    public static OptionalLong peer(int socket) {
        byte[] link = ("/proc/self/fd/" + socket).getBytes(StandardCharsets.US_ASCII);
        long own = FileCalls.status(link, true).inode();
        try (Fd netlink = open();
                Scratch scratch = Scratch.take()) {
            ByteBuffer numbers = scratch.numbers();
            question(numbers, (int) own);
            long address = scratch.struct().address();
            Kernel.check(
                    Kernel.call(scratch, Syscall.WRITE, netlink.number(), address, REQUEST_BYTES, 0),
                    Syscall.WRITE,
                    "unix_diag");
            long length = Kernel.check(
                    Kernel.call(scratch, Syscall.READ, netlink.number(), address + ANSWER, ANSWER_BYTES, 0),
                    Syscall.READ,
                    "unix_diag");
            return answer(numbers, (int) length);
        }
    }

    private static Fd open() {
        long number = Kernel.call(Syscall.SOCKET, AF_NETLINK, SOCK_RAW_NONBLOCK_CLOEXEC, NETLINK_SOCK_DIAG);
        return new Fd((int) Kernel.check(number, Syscall.SOCKET, "netlink sock_diag"));
    }

    private static void question(ByteBuffer numbers, int inode) {
        for (int i = 0; i < REQUEST_BYTES; i += Long.BYTES) {
            numbers.putLong(i, 0);
        }
        numbers.putInt(0, REQUEST_BYTES);
        numbers.putShort(4, SOCK_DIAG_BY_FAMILY);
        numbers.putShort(6, NLM_F_REQUEST);
        numbers.put(16, (byte) AF_UNIX);
        numbers.putInt(20, -1); // in any state
        numbers.putInt(24, inode);
        numbers.putInt(28, UDIAG_SHOW_PEER);
        numbers.putLong(32, -1); // without a cookie
    }

    private static OptionalLong answer(ByteBuffer numbers, int length) {
        if (length < ATTRIBUTES || numbers.getShort(ANSWER + 4) != SOCK_DIAG_BY_FAMILY) {
            return OptionalLong.empty(); // an error: there is no such socket in this network namespace
        }
        for (int at = ATTRIBUTES; at + 8 <= length; ) {
            int size = Short.toUnsignedInt(numbers.getShort(ANSWER + at));
            if (size < 4) {
                break;
            }
            if (numbers.getShort(ANSWER + at + 2) == UNIX_DIAG_PEER) {
                long inode = Integer.toUnsignedLong(numbers.getInt(ANSWER + at + 4));
                return inode == 0 ? OptionalLong.empty() : OptionalLong.of(inode);
            }
            at += size + 3 & ~3;
        }
        return OptionalLong.empty();
    }
}
