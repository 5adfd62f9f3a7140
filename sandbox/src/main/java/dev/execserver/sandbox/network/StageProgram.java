package dev.execserver.sandbox.network;

import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.stage.StageCode;
import dev.execserver.sandbox.stage.StageCode.Call;
import dev.execserver.sandbox.stage.StageImage;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A program of a few hundred bytes that enters a network namespace, makes listening sockets there, passes them to the server
 * and ends. Only from a user namespace may an ordinary user join its network namespace, and a process with threads, such as a
 * JVM, must not join a user namespace, see setns(2). The program has no loop, no input but its descriptors, and no branches
 * but those for errors. Descriptor 0 is a Unix stream socket for the listening sockets, one in each message, in order; 3 is a
 * pidfd of the process whose namespaces are joined. Stateless.
 */
final class StageProgram {
    static final int PIDFD = 3;
    /** The descriptor of the program itself; sockets get the numbers behind it. */
    static final int PROGRAM = 4;

    private static final int CHANNEL = 0;
    private static final int FIRST_SOCKET = 5;

    /** CLONE_NEWUSER and CLONE_NEWNET, both at once, because the joined user namespace need not own the network namespace. */
    private static final int NAMESPACES = 0x1000_0000 | 0x4000_0000;

    private static final int AF_INET = 2;
    private static final int SOCK_STREAM_NONBLOCK_CLOEXEC = 1 | 04000 | 02000000;
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

    /**
     * Returns the program file.
     *
     * @param ports different ports of 127.0.0.1, at most {@link ProxyRoutes#MAX_ROUTES}
     */
    static byte[] assemble(Machine machine, List<Integer> ports) {
        return StageImage.assemble(machine, MAX_BYTES, file -> data(file, ports), code -> code(code, ports.size()));
    }

    private static void data(ByteBuffer file, List<Integer> ports) {
        file.putInt(1).putInt(0);
        file.putLong(BASE + HEADERS).putLong(1);
        for (int port : ports) {
            file.putShort((short) AF_INET).put((byte) (port >> 8)).put((byte) port);
            file.put(new byte[] {127, 0, 0, 1}).putLong(0);
        }
        for (int i = 0; i < ports.size(); i++) {
            file.putLong(20).putInt(SOL_SOCKET).putInt(SCM_RIGHTS);
            file.putInt(FIRST_SOCKET + i).putInt(0);
        }
        for (int i = 0; i < ports.size(); i++) {
            file.putLong(0).putLong(0);
            file.putLong(BASE + HEADERS + 8).putLong(1);
            file.putLong(controlAddress(ports.size(), i)).putLong(20).putLong(0);
        }
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

    private static void code(StageCode code, int count) {
        code.call(Call.SETNS, PIDFD, NAMESPACES);
        for (int i = 0; i < count; i++) {
            int socket = FIRST_SOCKET + i;
            code.call(Call.SOCKET, AF_INET, SOCK_STREAM_NONBLOCK_CLOEXEC, 0);
            code.call(Call.SETSOCKOPT, socket, IPPROTO_IP, IP_FREEBIND, BASE + HEADERS, 4);
            code.call(Call.BIND, socket, addressAddress(i), ADDRESS_BYTES);
            code.call(Call.LISTEN, socket, BACKLOG);
            code.call(Call.SENDMSG, CHANNEL, messageAddress(count, i), MSG_NOSIGNAL);
        }
        code.call(Call.EXIT_GROUP, 0);
    }
}
