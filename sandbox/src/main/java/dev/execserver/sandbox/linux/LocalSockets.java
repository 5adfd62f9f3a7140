package dev.execserver.sandbox.linux;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/** Finds TCP sockets with sock_diag(7), of this network namespace if not said otherwise. Stateless; any thread. */
public final class LocalSockets {
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int IPPROTO_TCP = 6;
    private static final int INET_DIAG_TOS = 5;
    private static final int INET_DIAG_TCLASS = 6;
    private static final int INET_DIAG_CGROUP_ID = 21;
    /** Attributes that are told only when they are asked for, each by its bit. */
    private static final byte WANTED = 1 << (INET_DIAG_TOS - 1) | 1 << (INET_DIAG_TCLASS - 1);

    /** Size of the header and struct inet_diag_req_v2. */
    private static final int REQUEST_BYTES = SocketDiag.HEADER_BYTES + 56;

    /** Number of the loopback interface, the first of each network namespace. A socket may be bound to it. */
    private static final int LOOPBACK_INTERFACE = 1;
    /** TCP_LISTEN. */
    private static final byte LISTENING = 10;

    private static final int STATE = SocketDiag.HEADER_BYTES + 1;
    private static final int ID = 24;
    private static final int ANSWER_ID = 20;
    private static final int ANSWER_UID = 80;
    private static final int ANSWER_INODE = 84;
    private static final int ATTRIBUTES = 88;

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
     * @throws LinuxException if the kernel cannot be asked: EPROTONOSUPPORT, EPERM
     */
    public static Optional<Found> find(InetSocketAddress own, InetSocketAddress other, int networkInterface) {
        return SocketDiag.ask(
                REQUEST_BYTES,
                request -> question(request, own, other, networkInterface),
                ATTRIBUTES,
                message -> answer(message, own, other));
    }

    /** Returns true if the kernel can be asked at all. */
    public static boolean available() {
        return SocketDiag.available();
    }

    /**
     * Returns true if a connection to this address of the loopback interface would find a listening socket.
     *
     * @param netlink socket for questions, of the network namespace in question; used by one thread at a time
     * @throws LinuxException if the kernel cannot be asked
     */
    public static boolean listening(int netlink, InetSocketAddress address) {
        InetSocketAddress nobody = new InetSocketAddress(address.getAddress(), 0);
        return SocketDiag.ask(
                        netlink,
                        REQUEST_BYTES,
                        request -> question(request, address, nobody, LOOPBACK_INTERFACE),
                        ATTRIBUTES,
                        message -> Optional.of(message.get(STATE)).filter(state -> state == LISTENING))
                .isPresent();
    }

    private static void question(
            ByteBuffer numbers, InetSocketAddress own, InetSocketAddress other, int networkInterface) {
        boolean v4 = own.getAddress() instanceof Inet4Address;
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

    private static Optional<Found> answer(ByteBuffer message, InetSocketAddress own, InetSocketAddress other) {
        // The kernel also finds listening sockets, which have no peer.
        if (portAt(message, ANSWER_ID) != own.getPort() || portAt(message, ANSWER_ID + 2) != other.getPort()) {
            return Optional.empty();
        }
        Attributes attributes = new Attributes();
        SocketDiag.attributes(message, ATTRIBUTES, attributes);
        return Optional.of(new Found(
                Integer.toUnsignedLong(message.getInt(ANSWER_INODE)),
                message.getInt(ANSWER_UID),
                attributes.cgroup,
                attributes.trafficClass));
    }

    private static int portAt(ByteBuffer numbers, int at) {
        return (numbers.get(at) & 0xff) << 8 | numbers.get(at + 1) & 0xff;
    }

    /** Attributes of one socket. */
    private static final class Attributes implements SocketDiag.AttributeReader {
        private OptionalLong cgroup = OptionalLong.empty();
        private int trafficClass;

        @Override
        public void read(int type, ByteBuffer payload) {
            if (type == INET_DIAG_CGROUP_ID && payload.limit() >= Long.BYTES) {
                cgroup = OptionalLong.of(payload.getLong(0));
            } else if ((type == INET_DIAG_TOS || type == INET_DIAG_TCLASS) && payload.limit() > 0) {
                trafficClass = Math.max(trafficClass, Byte.toUnsignedInt(payload.get(0)));
            }
        }
    }
}
