package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * TCP sockets as descriptors, see tcp(7), because the JDK's channels cannot take over a socket that was made elsewhere. All
 * sockets made here are non-blocking and closed on exec, so no call blocks. Stateless.
 */
public final class TcpCalls {
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_NONBLOCK = 04000;
    private static final int SOCK_CLOEXEC = 02000000;
    private static final int SHUT_WR = 1;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_NODELAY = 1;
    private static final int SOL_SOCKET = 1;
    private static final int SO_ERROR = 4;
    private static final int SO_DOMAIN = 39;
    private static final int IPPROTO_IP = 0;
    private static final int IP_TOS = 1;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_TCLASS = 67;
    /** Length of struct sockaddr_in and of struct sockaddr_in6. */
    private static final int INET_BYTES = 16;

    private static final int INET6_BYTES = 28;

    private TcpCalls() {}

    /**
     * accept4(2). Empty if no connection waits, or the waiting one was aborted.
     *
     * @throws LinuxException EMFILE, ENFILE, ENOBUFS or ENOMEM while there is no room for another one
     */
    public static Optional<Fd> accept(int listener) {
        long fd = Kernel.call(Syscall.ACCEPT4, listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd == -Errno.EAGAIN || fd == -Errno.ECONNABORTED) {
            return Optional.empty();
        }
        Fd accepted = new Fd((int) Kernel.check(fd, Syscall.ACCEPT4, listener));
        withoutDelay(accepted);
        return Optional.of(accepted);
    }

    /**
     * Begins to connect. When the socket can be written, {@link #connectError} returns the result.
     *
     * @throws LinuxException ECONNREFUSED and the like, if it is known at once
     */
    public static Fd connect(InetSocketAddress address) {
        return connect(address, 0);
    }

    /**
     * As {@link #connect(InetSocketAddress)}, with a value for IP_TOS of ip(7) or IPV6_TCLASS of ipv6(7) from the start.
     *
     * @param trafficClass of 8 bits, the lower two of which the kernel uses itself
     */
    public static Fd connect(InetSocketAddress address, int trafficClass) {
        Fd fd = socket(address);
        try (Scratch scratch = Scratch.take()) {
            withoutDelay(fd);
            if (trafficClass != 0) {
                boolean v4 = address.getAddress() instanceof Inet4Address;
                long result = v4
                        ? setOption(fd, IPPROTO_IP, IP_TOS, trafficClass)
                        : setOption(fd, IPPROTO_IPV6, IPV6_TCLASS, trafficClass);
                Kernel.check(result, Syscall.SETSOCKOPT, address.toString());
            }
            MemorySegment memory = scratch.struct();
            address(memory, address);
            long result = Kernel.call(scratch, Syscall.CONNECT, fd.number(), memory.address(), length(address), 0);
            if (result != -Errno.EINPROGRESS) {
                Kernel.check(result, Syscall.CONNECT, address.toString());
            }
            return fd;
        } catch (RuntimeException e) {
            fd.close();
            throw e;
        }
    }

    /**
     * Makes a listening socket, see listen(2).
     *
     * @param address port 0 means any free port
     * @param backlog connections that the kernel holds until they are accepted
     */
    public static Fd listen(InetSocketAddress address, int backlog) {
        Fd fd = socket(address);
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            address(memory, address);
            long bound = Kernel.call(scratch, Syscall.BIND, fd.number(), memory.address(), length(address), 0);
            Kernel.check(bound, Syscall.BIND, address.toString());
            Kernel.check(
                    Kernel.call(scratch, Syscall.LISTEN, fd.number(), backlog, 0, 0),
                    Syscall.LISTEN,
                    address.toString());
            return fd;
        } catch (RuntimeException e) {
            fd.close();
            throw e;
        }
    }

    private static Fd socket(InetSocketAddress address) {
        int domain = address.getAddress() instanceof Inet4Address ? AF_INET : AF_INET6;
        long number = Kernel.call(Syscall.SOCKET, domain, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
        return new Fd((int) Kernel.check(number, Syscall.SOCKET, address.toString()));
    }

    private static int length(InetSocketAddress address) {
        return address.getAddress() instanceof Inet4Address ? INET_BYTES : INET6_BYTES;
    }

    /** getsockname(2). */
    public static InetSocketAddress localAddress(int socket) {
        return name(Syscall.GETSOCKNAME, socket)
                .orElseThrow(() -> new LinuxException(Syscall.GETSOCKNAME.call(), "fd " + socket, Errno.EINVAL));
    }

    /** getpeername(2). Empty if the connection has ended. */
    public static Optional<InetSocketAddress> peerAddress(int socket) {
        return name(Syscall.GETPEERNAME, socket);
    }

    private static Optional<InetSocketAddress> name(Syscall call, int socket) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            memory.set(JAVA_INT, INET6_BYTES, INET6_BYTES);
            long result = Kernel.call(scratch, call, socket, memory.address(), memory.address() + INET6_BYTES, 0);
            if (result < 0) {
                return Optional.empty();
            }
            boolean v4 = memory.get(JAVA_SHORT, 0) == AF_INET;
            byte[] host = memory.asSlice(v4 ? 4 : 8, v4 ? 4 : 16).toArray(JAVA_BYTE);
            int port = (memory.get(JAVA_BYTE, 2) & 0xff) << 8 | memory.get(JAVA_BYTE, 3) & 0xff;
            return Optional.of(new InetSocketAddress(InetAddress.getByAddress(host), port));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four or sixteen bytes are always an address", e);
        }
    }

    /** SO_ERROR of socket(7): 0, or the error since the last call. */
    public static int connectError(int socket) {
        return option(socket, SO_ERROR);
    }

    /** Returns true if SO_DOMAIN of socket(7) is that of IPv4. */
    public static boolean isInet(int socket) {
        return option(socket, SO_DOMAIN) == AF_INET;
    }

    /** shutdown(2) of the sending direction. False if the connection has ended. */
    public static boolean shutdownWrite(int socket) {
        return Kernel.call(Syscall.SHUTDOWN, socket, SHUT_WR, 0) >= 0;
    }

    private static int option(int socket, int name) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            memory.set(JAVA_INT, 0, 0);
            memory.set(JAVA_INT, 4, 4);
            long result = Kernel.call(
                    scratch, Syscall.GETSOCKOPT, socket, SOL_SOCKET, name, memory.address(), memory.address() + 4, 0);
            Kernel.check(result, Syscall.GETSOCKOPT, socket);
            return memory.get(JAVA_INT, 0);
        }
    }

    /** Sets TCP_NODELAY, so that small requests and answers are sent at once. */
    private static void withoutDelay(Fd socket) {
        long _ = setOption(
                socket, IPPROTO_TCP, TCP_NODELAY, 1); // fails when the connection has ended: its reader will see
    }

    private static long setOption(Fd socket, int level, int name, int value) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            memory.set(JAVA_INT, 0, value);
            return Kernel.call(scratch, Syscall.SETSOCKOPT, socket.number(), level, name, memory.address(), 4, 0);
        }
    }

    /** Writes struct sockaddr_in or sockaddr_in6; port and address in network order. */
    private static void address(MemorySegment memory, InetSocketAddress address) {
        InetAddress host = address.getAddress();
        boolean v4 = host instanceof Inet4Address;
        memory.asSlice(0, INET6_BYTES).fill((byte) 0);
        memory.set(JAVA_SHORT, 0, (short) (v4 ? AF_INET : AF_INET6));
        memory.set(JAVA_BYTE, 2, (byte) (address.getPort() >> 8));
        memory.set(JAVA_BYTE, 3, (byte) address.getPort());
        byte[] bytes = host.getAddress();
        MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, v4 ? 4 : 8, bytes.length);
    }
}
