package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Listening sockets that a service manager has passed, see sd_listen_fds(3). Stateless. */
public final class InheritedSockets {
    private static final int SOL_SOCKET = 1;
    private static final int SO_TYPE = 3;
    private static final int SO_ACCEPTCONN = 30;
    private static final int SOCK_STREAM = 1;
    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int FAMILY_BYTES = 2;
    /** Size of struct sockaddr_un. */
    private static final int ADDRESS_BYTES = 110;

    private static final int F_SETFD = 2;
    private static final int FD_CLOEXEC = 1;
    private static final int O_CLOEXEC = 02000000;

    private InheritedSockets() {}

    /** Returns true if the descriptor is a stream socket that listens. */
    public static boolean listens(int descriptor) {
        return option(descriptor, SO_TYPE) == SOCK_STREAM && option(descriptor, SO_ACCEPTCONN) == 1;
    }

    /** Returns the value of an option; -1 if it has none, because it is no socket. */
    private static int option(int descriptor, int name) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            memory.set(JAVA_INT, 0, 0);
            memory.set(JAVA_INT, Integer.BYTES, Integer.BYTES);
            long at = memory.address();
            long result =
                    Kernel.call(scratch, Syscall.GETSOCKOPT, descriptor, SOL_SOCKET, name, at, at + Integer.BYTES, 0);
            return result < 0 ? -1 : memory.get(JAVA_INT, 0);
        }
    }

    /** Returns the address that the socket listens on; empty if it is neither of the internet nor a file. */
    public static Optional<SocketAddress> address(int descriptor) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            memory.asSlice(0, ADDRESS_BYTES + Integer.BYTES).fill((byte) 0);
            int lengthAt = ADDRESS_BYTES + FAMILY_BYTES; // aligned
            memory.set(JAVA_INT, lengthAt, ADDRESS_BYTES);
            long at = memory.address();
            long result = Kernel.call(Syscall.GETSOCKNAME, descriptor, at, at + lengthAt);
            Kernel.check(result, Syscall.GETSOCKNAME, descriptor);
            return switch (memory.get(JAVA_SHORT, 0)) {
                case AF_INET, AF_INET6 -> Optional.of(TcpCalls.localAddress(descriptor));
                case AF_UNIX -> file(memory, memory.get(JAVA_INT, lengthAt));
                default -> Optional.empty();
            };
        }
    }

    private static Optional<SocketAddress> file(MemorySegment address, int length) {
        if (length <= FAMILY_BYTES || address.get(JAVA_BYTE, FAMILY_BYTES) == 0) {
            return Optional.empty(); // without a name, or with one that is no file
        }
        byte[] path = address.asSlice(FAMILY_BYTES, length - FAMILY_BYTES).toArray(JAVA_BYTE);
        String text = new String(path, StandardCharsets.UTF_8);
        int end = text.indexOf('\0');
        return Optional.of(UnixDomainSocketAddress.of(end < 0 ? text : text.substring(0, end)));
    }

    /** Keeps the descriptor from programs that are started. */
    public static void closeOnExec(int descriptor) {
        Kernel.check(Kernel.call(Syscall.FCNTL, descriptor, F_SETFD, FD_CLOEXEC), Syscall.FCNTL, descriptor);
    }

    /** Makes one descriptor a copy of another. What was open there is closed. */
    public static void replace(int descriptor, int by) {
        Kernel.check(Kernel.call(Syscall.DUP3, by, descriptor, O_CLOEXEC), Syscall.DUP3, descriptor);
    }
}
