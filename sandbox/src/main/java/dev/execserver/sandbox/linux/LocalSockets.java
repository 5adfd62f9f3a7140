package dev.execserver.sandbox.linux;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds TCP sockets of this network namespace with sock_diag(7). Each query uses its own netlink socket. The kernel answers
 * within the write, so nothing blocks. Stateless; any thread.
 */
public final class LocalSockets {
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_NETLINK = 16;
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final int SOCK_RAW_NONBLOCK_CLOEXEC = 3 | 04000 | 02000000;
    private static final int IPPROTO_TCP = 6;
    private static final short SOCK_DIAG_BY_FAMILY = 20;
    private static final short NLM_F_REQUEST = 1;
    private static final short NLMSG_ERROR = 2;
    private static final int INET_DIAG_TOS = 5;
    private static final int INET_DIAG_TCLASS = 6;
    private static final int INET_DIAG_CGROUP_ID = 21;
    /** Attributes that are told only when they are asked for, each by its bit. */
    private static final byte WANTED = 1 << (INET_DIAG_TOS - 1) | 1 << (INET_DIAG_TCLASS - 1);

    /** Size of struct nlmsghdr and struct inet_diag_req_v2. */
    private static final int REQUEST_BYTES = 16 + 56;

    private static final int ID = 24;
    /** Offset of the answer, behind the question. */
    private static final int ANSWER = 1024;

    private static final int ANSWER_BYTES = 2048;
    private static final int ANSWER_ID = ANSWER + 20;
    private static final int ANSWER_UID = ANSWER + 80;
    private static final int ANSWER_INODE = ANSWER + 84;
    private static final int ANSWER_ATTRIBUTES = 88;

    private LocalSockets() {}

    /**
     * A socket that was found.
     *
     * @param inode number in the links of /proc/PID/fd; 0 if no process holds the socket any more
     * @param uid user that made it, as this process's user namespace shows it
     * @param cgroup inode of the version 2 control group in which it was made; empty if the kernel does not tell
     * @param trafficClass of what it sends, 0 as a rule; see {@link TcpCalls#connect(InetSocketAddress, int)}
     */
    public record Found(long inode, int uid, OptionalLong cgroup, int trafficClass) {}

    /**
     * Finds the socket with these addresses.
     *
     * @param own address that the socket is bound to
     * @param other address that it is connected to
     * @param networkInterface index of the interface for sockets that are bound to one, else 0
     * @throws LinuxException if the kernel cannot be asked: EPROTONOSUPPORT, EPERM, or ENOENT without tcp_diag
     */
    public static Optional<Found> find(InetSocketAddress own, InetSocketAddress other, int networkInterface) {
        try (Fd netlink = open();
                Scratch scratch = Scratch.take()) {
            ByteBuffer numbers = scratch.numbers();
            question(numbers, own, other, networkInterface);
            long address = scratch.struct().address();
            Kernel.check(
                    Kernel.call(scratch, Syscall.WRITE, netlink.number(), address, REQUEST_BYTES, 0),
                    Syscall.WRITE,
                    "sock_diag");
            long length = Kernel.check(
                    Kernel.call(scratch, Syscall.READ, netlink.number(), address + ANSWER, ANSWER_BYTES, 0),
                    Syscall.READ,
                    "sock_diag");
            return answer(numbers, (int) length, own, other);
        }
    }

    private static Fd open() {
        long number = Kernel.call(Syscall.SOCKET, AF_NETLINK, SOCK_RAW_NONBLOCK_CLOEXEC, NETLINK_SOCK_DIAG);
        return new Fd((int) Kernel.check(number, Syscall.SOCKET, "netlink sock_diag"));
    }

    private static void question(
            ByteBuffer numbers, InetSocketAddress own, InetSocketAddress other, int networkInterface) {
        for (int i = 0; i < REQUEST_BYTES; i += Long.BYTES) {
            numbers.putLong(i, 0);
        }
        boolean v4 = own.getAddress() instanceof Inet4Address;
        numbers.putInt(0, REQUEST_BYTES);
        numbers.putShort(4, SOCK_DIAG_BY_FAMILY);
        numbers.putShort(6, NLM_F_REQUEST);
        numbers.put(16, (byte) (v4 ? AF_INET : AF_INET6));
        numbers.put(17, (byte) IPPROTO_TCP);
        numbers.put(18, WANTED);
        numbers.putInt(20, -1); // in any state
        port(numbers, ID, own.getPort());
        port(numbers, ID + 2, other.getPort());
        address(numbers, ID + 4, own.getAddress());
        address(numbers, ID + 20, other.getAddress());
        numbers.putInt(ID + 36, networkInterface);
        numbers.putLong(ID + 40, -1); // INET_DIAG_NOCOOKIE
    }

    private static void port(ByteBuffer numbers, int at, int port) {
        numbers.put(at, (byte) (port >> 8)).put(at + 1, (byte) port);
    }

    private static void address(ByteBuffer numbers, int at, InetAddress address) {
        numbers.put(at, address.getAddress());
    }

    private static Optional<Found> answer(
            ByteBuffer numbers, int length, InetSocketAddress own, InetSocketAddress other) {
        if (length >= 20 && numbers.getShort(ANSWER + 4) == NLMSG_ERROR) {
            int errno = -numbers.getInt(ANSWER + 16);
            if (errno == Errno.ENOENT) {
                return Optional.empty();
            }
            throw new LinuxException("sock_diag", own.toString(), errno);
        }
        if (length < ANSWER_ATTRIBUTES || numbers.getShort(ANSWER + 4) != SOCK_DIAG_BY_FAMILY) {
            throw new LinuxException("sock_diag", own.toString(), Errno.EPROTO);
        }
        // The kernel also finds listening sockets, which have no peer.
        if (portAt(numbers, ANSWER_ID) != own.getPort() || portAt(numbers, ANSWER_ID + 2) != other.getPort()) {
            return Optional.empty();
        }
        long inode = Integer.toUnsignedLong(numbers.getInt(ANSWER_INODE));
        int uid = numbers.getInt(ANSWER_UID);
        return Optional.of(
                withAttributes(inode, uid, numbers.slice(ANSWER, length).order(ByteOrder.nativeOrder())));
    }

    private static int portAt(ByteBuffer numbers, int at) {
        return (numbers.get(at) & 0xff) << 8 | numbers.get(at + 1) & 0xff;
    }

    /** Attributes are struct nlattr with a payload each, aligned to four bytes, see netlink(7). */
    private static Found withAttributes(long inode, int uid, ByteBuffer message) {
        OptionalLong cgroup = OptionalLong.empty();
        int trafficClass = 0;
        for (int at = ANSWER_ATTRIBUTES; at + 4 <= message.limit(); ) {
            int length = Short.toUnsignedInt(message.getShort(at));
            if (length < 4 || at + length > message.limit()) {
                break;
            }
            int type = message.getShort(at + 2);
            if (type == INET_DIAG_CGROUP_ID && length >= 4 + Long.BYTES) {
                cgroup = OptionalLong.of(message.getLong(at + 4));
            } else if ((type == INET_DIAG_TOS || type == INET_DIAG_TCLASS) && length > 4) {
                trafficClass = Math.max(trafficClass, Byte.toUnsignedInt(message.get(at + 4)));
            }
            at += length + 3 & ~3;
        }
        return new Found(inode, uid, cgroup, trafficClass);
    }
}
