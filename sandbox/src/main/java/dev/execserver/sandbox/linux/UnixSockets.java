package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/** Questions about the other end of a connected Unix socket: SO_PEERCRED of socket(7), and sock_diag(7). Stateless. */
public final class UnixSockets {
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int CREDENTIALS_BYTES = 12;

    private static final int AF_UNIX = 1;
    private static final int UDIAG_SHOW_PEER = 4;
    private static final int UNIX_DIAG_PEER = 2;
    /** Size of the header and struct unix_diag_req. */
    private static final int REQUEST_BYTES = SocketDiag.HEADER_BYTES + 24;
    /** Size of the header and struct unix_diag_msg. */
    private static final int ATTRIBUTES = SocketDiag.HEADER_BYTES + 16;

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
        return SocketDiag.ask(REQUEST_BYTES, request -> question(request, (int) own), ATTRIBUTES, UnixSockets::peer)
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    private static void question(ByteBuffer numbers, int inode) {
        numbers.put(16, (byte) AF_UNIX);
        numbers.putInt(20, -1); // in any state
        numbers.putInt(24, inode);
        numbers.putInt(28, UDIAG_SHOW_PEER);
        numbers.putLong(32, -1); // without a cookie
    }

    private static Optional<Long> peer(ByteBuffer message) {
        long[] inode = new long[1];
        SocketDiag.attributes(message, ATTRIBUTES, (type, payload) -> {
            if (type == UNIX_DIAG_PEER && payload.limit() >= Integer.BYTES) {
                inode[0] = Integer.toUnsignedLong(payload.getInt(0));
            }
        });
        return inode[0] == 0 ? Optional.empty() : Optional.of(inode[0]);
    }
}
