package dev.execserver.sandbox.network;

import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.stage.StageCode;
import dev.execserver.sandbox.stage.StageCode.Call;
import dev.execserver.sandbox.stage.StageImage;
import java.net.Inet4Address;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A program of a few hundred bytes that enters a network namespace, makes listening sockets there and perhaps one for name
 * queries and one for questions about sockets, passes them to the server and ends. Only from the user namespace that owns a network namespace may an ordinary user
 * join it, and a process with threads, such as a JVM, must not join a user namespace, see setns(2). The program has no loop, no
 * input but its descriptors, and no branches but those for errors. Descriptor 0 is a Unix stream socket for the sockets, one in
 * each message, in order; 3 is the user namespace, 4 the network namespace. Stateless.
 */
final class StageProgram {
    private static final int OWNER = 3;
    private static final int NETWORK = 4;
    /** The descriptor of the program itself; sockets get the numbers behind it. */
    static final int PROGRAM = 5;

    private static final int CHANNEL = 0;
    private static final int FIRST_SOCKET = 6;

    private static final int CLONE_NEWUSER = 0x1000_0000;
    private static final int CLONE_NEWNET = 0x4000_0000;

    private static final int AF_INET = 2;
    private static final int SOCK_STREAM_NONBLOCK_CLOEXEC = 1 | 04000 | 02000000;
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW_NONBLOCK_CLOEXEC = 3 | 04000 | 02000000;
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final int SOCK_DGRAM_NONBLOCK_CLOEXEC = 2 | 04000 | 02000000;
    /** netdevice(7): gives an interface a further address, under a label. */
    private static final int SIOCSIFADDR = 0x8916;

    private static final int LABEL_BYTES = 16;
    private static final int INTERFACE_BYTES = 40;
    private static final int DNS_PORT = 53;
    private static final int IPPROTO_IP = 0;
    /** ip(7): allows binding before bubblewrap has brought the loopback interface up. */
    private static final int IP_FREEBIND = 15;

    private static final int BACKLOG = 1024;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;

    private static final int BASE = StageImage.BASE;
    private static final int MAX_BYTES = 8192;
    private static final int HEADERS = StageImage.HEADERS;
    private static final int ADDRESS_BYTES = 16;
    private static final int CONTROL_BYTES = 24;
    private static final int MESSAGE_BYTES = 56;
    /** The number 1, the byte that is sent, and the vector that points to it. */
    private static final int COMMON_BYTES = 8 + 16;

    private StageProgram() {}

    /** Returns the program file. */
    static byte[] assemble(Machine machine, InnerSockets sockets) {
        return StageImage.assemble(machine, MAX_BYTES, file -> data(file, sockets), code -> code(code, sockets));
    }

    private static void data(ByteBuffer file, InnerSockets sockets) {
        int count = sockets.count();
        file.putInt(1).putInt(0);
        file.putLong(BASE + HEADERS).putLong(1);
        for (int port : sockets.ports()) {
            address(file, port, new byte[] {127, 0, 0, 1});
        }
        if (sockets.names().isPresent()) {
            address(file, DNS_PORT, new byte[4]);
        }
        if (sockets.questions()) {
            address(file, 0, new byte[4]); // not used
        }
        for (int i = 0; i < count; i++) {
            file.putLong(20).putInt(SOL_SOCKET).putInt(SCM_RIGHTS);
            file.putInt(FIRST_SOCKET + i).putInt(0);
        }
        for (int i = 0; i < count; i++) {
            file.putLong(0).putLong(0);
            file.putLong(BASE + HEADERS + 8).putLong(1);
            file.putLong(controlAddress(count, i)).putLong(20).putLong(0);
        }
        int label = 1;
        for (Inet4Address server : sockets.names().orElse(List.of())) {
            file.put(Arrays.copyOf(("lo:" + label++).getBytes(StandardCharsets.US_ASCII), LABEL_BYTES));
            address(file, 0, server.getAddress());
            file.putLong(0);
        }
    }

    private static void address(ByteBuffer file, int port, byte[] host) {
        file.putShort((short) AF_INET).put((byte) (port >> 8)).put((byte) port);
        file.put(host).putLong(0);
    }

    private static int addressAddress(int index) {
        return BASE + HEADERS + COMMON_BYTES + ADDRESS_BYTES * index;
    }

    private static int controlAddress(int count, int index) {
        return addressAddress(count) + CONTROL_BYTES * index;
    }

    private static int messageAddress(int count, int index) {
        return controlAddress(count, count) + MESSAGE_BYTES * index;
    }

    private static int interfaceAddress(int count, int index) {
        return messageAddress(count, count) + INTERFACE_BYTES * index;
    }

    private static void code(StageCode code, InnerSockets sockets) {
        int count = sockets.count();
        // The process may be in a user namespace below the owner, from which nothing can be set in the network.
        code.call(Call.SETNS, OWNER, CLONE_NEWUSER);
        code.call(Call.SETNS, NETWORK, CLONE_NEWNET);
        for (int i = 0; i < sockets.ports().size(); i++) {
            int socket = FIRST_SOCKET + i;
            code.call(Call.SOCKET, AF_INET, SOCK_STREAM_NONBLOCK_CLOEXEC, 0);
            code.call(Call.SETSOCKOPT, socket, IPPROTO_IP, IP_FREEBIND, BASE + HEADERS, 4);
            code.call(Call.BIND, socket, addressAddress(i), ADDRESS_BYTES);
            code.call(Call.LISTEN, socket, BACKLOG);
            code.call(Call.SENDMSG, CHANNEL, messageAddress(count, i), MSG_NOSIGNAL);
        }
        sockets.names().ifPresent(servers -> names(code, count, sockets.ports().size(), servers.size()));
        if (sockets.questions()) {
            code.call(Call.SOCKET, AF_NETLINK, SOCK_RAW_NONBLOCK_CLOEXEC, NETLINK_SOCK_DIAG);
            code.call(Call.SENDMSG, CHANNEL, messageAddress(count, count - 1), MSG_NOSIGNAL);
        }
        code.call(Call.EXIT_GROUP, 0);
    }

    /** Makes the socket for name queries, and the addresses to which the command sends them. */
    private static void names(StageCode code, int count, int index, int servers) {
        int socket = FIRST_SOCKET + index;
        code.call(Call.SOCKET, AF_INET, SOCK_DGRAM_NONBLOCK_CLOEXEC, 0);
        for (int i = 0; i < servers; i++) {
            code.call(Call.IOCTL, socket, SIOCSIFADDR, interfaceAddress(count, i));
        }
        code.call(Call.BIND, socket, addressAddress(index), ADDRESS_BYTES);
        code.call(Call.SENDMSG, CHANNEL, messageAddress(count, index), MSG_NOSIGNAL);
    }
}
