package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * Calls on the socket of another process, of which this one has a copy: both share one open file description, so what is done here
 * happens to the socket of that process, in its network namespace. Stateless.
 */
public final class TaskSocketCalls {
    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_STREAM = 1;
    private static final int O_NONBLOCK = 04000;
    private static final int F_GETFL = 3;
    private static final int SOL_SOCKET = 1;
    private static final int SO_TYPE = 3;
    private static final int SO_SNDTIMEO = 21;
    private static final int SO_DOMAIN = 39;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_V6ONLY = 26;
    private static final int INET_BYTES = 16;
    private static final int INET6_BYTES = 28;
    private static final int TIMEVAL_BYTES = 16;
    /** Offsets behind the address: the limit for this call, and the one that the program has set. */
    private static final int LIMIT_AT = 128;

    private static final int KEPT_AT = 160;
    /** A queue of connections that stays full would hold the calling thread for minutes. */
    private static final long CONNECT_SECONDS = 2;

    private TaskSocketCalls() {}

    /** Returns true for a stream socket of IPv4 or IPv6; false for another one and for what is no socket. */
    public static boolean isInternetStream(Fd socket) {
        return option(socket, SO_TYPE).orElse(-1) == SOCK_STREAM
                && (isInet6(socket) || option(socket, SO_DOMAIN).orElse(-1) == AF_INET);
    }

    /** Returns true for a Unix socket. */
    public static boolean isUnix(Fd socket) {
        return option(socket, SO_DOMAIN).orElse(-1) == AF_UNIX;
    }

    /** Returns true for a socket of IPv6. */
    public static boolean isInet6(Fd socket) {
        return option(socket, SO_DOMAIN).orElse(-1) == AF_INET6;
    }

    /** Returns true if O_NONBLOCK of open(2) is set. */
    public static boolean nonBlocking(Fd socket) {
        return (Kernel.call(Syscall.FCNTL, socket.number(), F_GETFL, 0) & O_NONBLOCK) != 0;
    }

    /** Returns true if the socket has a peer. */
    public static boolean connected(Fd socket) {
        return TcpCalls.peerAddress(socket.number()).isPresent();
    }

    /**
     * Gives the socket a port of 127.0.0.1, unless it has one. An IPv6 socket carries IPv4 from then on.
     *
     * @return the port; empty if the socket cannot be used for that, because it is bound to another address
     */
    public static OptionalInt bindLoopback(Fd socket) {
        int bound = TcpCalls.localAddress(socket.number()).getPort();
        if (bound != 0) {
            return OptionalInt.of(bound);
        }
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            int length = address(memory, isInet6(socket), 0);
            if (length == INET6_BYTES) {
                memory.set(JAVA_INT, INET6_BYTES, 0);
                long at = memory.address() + INET6_BYTES;
                // fails for a bound socket, whose bind(2) below then tells
                Kernel.call(scratch, Syscall.SETSOCKOPT, socket.number(), IPPROTO_IPV6, IPV6_V6ONLY, at, 4, 0);
            }
            if (Kernel.call(scratch, Syscall.BIND, socket.number(), memory.address(), length, 0) < 0) {
                return OptionalInt.empty();
            }
        }
        return OptionalInt.of(TcpCalls.localAddress(socket.number()).getPort());
    }

    /**
     * Connects the socket to a port of 127.0.0.1 in its network namespace. Platform threads only: a blocking socket waits for the
     * kernel, at most {@value #CONNECT_SECONDS} seconds.
     *
     * @return 0 or the errno of connect(2); EINPROGRESS for a non-blocking socket
     */
    public static int connectLoopback(Fd socket, int port) {
        try (Scratch scratch = Scratch.take()) {
            int length = address(scratch.struct(), isInet6(socket), port);
            return connect(scratch, socket, length);
        }
    }

    /**
     * Connects the socket to a socket file that this process has open with O_PATH. Nothing is looked up on the way. Otherwise as
     * {@link #connectLoopback}.
     */
    public static int connectFile(Fd socket, Fd file) {
        byte[] path = ("/proc/self/fd/" + file.number()).getBytes(StandardCharsets.US_ASCII);
        byte[] address = new byte[2 + path.length + 1];
        address[0] = AF_UNIX;
        System.arraycopy(path, 0, address, 2, path.length);
        return connect(socket, address);
    }

    /**
     * Connects the socket to an address as its program has written it. Otherwise as {@link #connectLoopback}.
     *
     * @param address at most 128 bytes
     */
    public static int connect(Fd socket, byte[] address) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment.copy(address, 0, scratch.struct(), JAVA_BYTE, 0, address.length);
            return connect(scratch, socket, address.length);
        }
    }

    /** @param length of the address at the beginning of the struct */
    private static int connect(Scratch scratch, Fd socket, int length) {
        boolean blocking = !nonBlocking(socket);
        MemorySegment memory = scratch.struct();
        long kept = memory.address() + KEPT_AT;
        if (blocking) {
            memory.set(JAVA_LONG, LIMIT_AT, CONNECT_SECONDS);
            memory.set(JAVA_LONG, LIMIT_AT + 8, 0);
            // the limit that the program has set comes back below
            memory.set(JAVA_INT, KEPT_AT + TIMEVAL_BYTES, TIMEVAL_BYTES);
            Kernel.call(
                    scratch,
                    Syscall.GETSOCKOPT,
                    socket.number(),
                    SOL_SOCKET,
                    SO_SNDTIMEO,
                    kept,
                    kept + TIMEVAL_BYTES,
                    0);
            sendLimit(scratch, socket, memory.address() + LIMIT_AT);
        }
        long result = Kernel.call(scratch, Syscall.CONNECT, socket.number(), memory.address(), length, 0);
        if (blocking) {
            sendLimit(scratch, socket, kept);
        }
        return result == -Errno.EINPROGRESS && blocking ? Errno.EAGAIN : (int) -result;
    }

    private static void sendLimit(Scratch scratch, Fd socket, long timeval) {
        Kernel.call(scratch, Syscall.SETSOCKOPT, socket.number(), SOL_SOCKET, SO_SNDTIMEO, timeval, TIMEVAL_BYTES, 0);
    }

    private static int address(MemorySegment memory, boolean v6, int port) {
        memory.asSlice(0, 128).fill((byte) 0);
        memory.set(JAVA_SHORT, 0, (short) (v6 ? AF_INET6 : AF_INET));
        memory.set(JAVA_BYTE, 2, (byte) (port >> 8));
        memory.set(JAVA_BYTE, 3, (byte) port);
        int at = v6 ? 20 : 4;
        if (v6) {
            memory.set(JAVA_BYTE, 18, (byte) -1);
            memory.set(JAVA_BYTE, 19, (byte) -1);
        }
        memory.set(JAVA_BYTE, at, (byte) 127);
        memory.set(JAVA_BYTE, at + 3, (byte) 1);
        return v6 ? INET6_BYTES : INET_BYTES;
    }

    private static OptionalInt option(Fd socket, int name) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            memory.set(JAVA_INT, 0, 0);
            memory.set(JAVA_INT, 4, 4);
            long result = Kernel.call(
                    scratch,
                    Syscall.GETSOCKOPT,
                    socket.number(),
                    SOL_SOCKET,
                    name,
                    memory.address(),
                    memory.address() + 4,
                    0);
            return result < 0 ? OptionalInt.empty() : OptionalInt.of(memory.get(JAVA_INT, 0));
        }
    }
}
