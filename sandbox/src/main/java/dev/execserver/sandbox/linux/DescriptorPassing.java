package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Open files over Unix stream sockets: SCM_RIGHTS of unix(7), with sendmsg(2) and recvmsg(2). The layouts are those of all
 * 64-bit Linux systems. Stateless.
 */
public final class DescriptorPassing {
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x4000_0000;

    /** Where the parts lie in the scratch: struct msghdr, one struct iovec, one control message, the data to send. */
    private static final int HEADER = 0;

    private static final int VECTOR = 64;
    private static final int CONTROL = 96;
    private static final int DATA = 256;

    /**
     * CMSG_LEN of one descriptor, see cmsg(3). Not CMSG_SPACE, which is rounded up and so has room for two: a peer that sends
     * more than it should would leave the second one open here.
     */
    private static final int CONTROL_LENGTH = 20;

    private DescriptorPassing() {}

    /**
     * What one recvmsg(2) brought.
     *
     * @param count bytes; 0 at the end of the stream, -1 when nothing is there yet
     * @param descriptor the open file that came with them, closed on exec; it is the caller's
     */
    public record Received(int count, Optional<Fd> descriptor) {}

    /**
     * Sends a few bytes and a copy of the descriptor with them. Blocks as the socket does.
     *
     * @throws LinuxException EPIPE when nobody reads, EBADF or ENOTSOCK for what is no Unix socket
     */
    public static void send(int socket, byte[] data, int offset, int length, Fd descriptor) {
        if (length < 1 || length > Scratch.STRUCT_BYTES - DATA) {
            throw new IllegalArgumentException("cannot send " + length + " bytes with a descriptor");
        }
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            MemorySegment.copy(data, offset, memory, JAVA_BYTE, DATA, length);
            header(memory, memory.address() + DATA, length);
            memory.set(JAVA_LONG, CONTROL, CONTROL_LENGTH);
            memory.set(JAVA_INT, CONTROL + 8, SOL_SOCKET);
            memory.set(JAVA_INT, CONTROL + 12, SCM_RIGHTS);
            memory.set(JAVA_INT, CONTROL + 16, descriptor.number());
            long sent = Kernel.check(
                    Kernel.call(scratch, Syscall.SENDMSG, socket, memory.address(), MSG_NOSIGNAL, 0),
                    Syscall.SENDMSG,
                    socket);
            if (sent < length) {
                throw new LinuxException("sendmsg", "fd " + socket, Errno.EAGAIN);
            }
        }
    }

    /**
     * Receives what is there, and the first descriptor that came with it; the kernel closes any further ones, for which
     * there is no room.
     *
     * @param buffer native memory
     */
    public static Received receive(int socket, MemorySegment buffer) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            header(memory, buffer.address(), buffer.byteSize());
            long count = Kernel.call(scratch, Syscall.RECVMSG, socket, memory.address(), MSG_CMSG_CLOEXEC, 0);
            if (count == -Errno.EAGAIN) {
                return new Received(-1, Optional.empty());
            }
            if (count == -Errno.ECONNRESET) {
                return new Received(0, Optional.empty()); // it ended with something of ours unread
            }
            Kernel.check(count, Syscall.RECVMSG, socket);
            return new Received((int) count, descriptor(memory));
        }
    }

    private static void header(MemorySegment memory, long data, long length) {
        memory.asSlice(HEADER, DATA).fill((byte) 0);
        memory.set(JAVA_LONG, VECTOR, data);
        memory.set(JAVA_LONG, VECTOR + 8, length);
        memory.set(JAVA_LONG, HEADER + 16, memory.address() + VECTOR);
        memory.set(JAVA_LONG, HEADER + 24, 1);
        memory.set(JAVA_LONG, HEADER + 32, memory.address() + CONTROL);
        memory.set(JAVA_LONG, HEADER + 40, CONTROL_LENGTH);
    }

    private static Optional<Fd> descriptor(MemorySegment memory) {
        boolean rights = memory.get(JAVA_LONG, HEADER + 40) >= CONTROL_LENGTH
                && memory.get(JAVA_LONG, CONTROL) >= CONTROL_LENGTH
                && memory.get(JAVA_INT, CONTROL + 8) == SOL_SOCKET
                && memory.get(JAVA_INT, CONTROL + 12) == SCM_RIGHTS;
        return rights ? Optional.of(new Fd(memory.get(JAVA_INT, CONTROL + 16))) : Optional.empty();
    }
}
