package dev.execserver.sandbox.linux;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Passes descriptors over Unix stream sockets: SCM_RIGHTS of unix(7), with sendmsg(2) and recvmsg(2). The layouts are those
 * of all 64-bit Linux systems. Stateless.
 */
public final class DescriptorPassing {
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x4000_0000;

    /** Offsets in the scratch memory: struct msghdr, one struct iovec, one control message, the data to send. */
    private static final int HEADER = 0;

    private static final int VECTOR = 64;
    private static final int CONTROL = 96;
    private static final int DATA = 256;

    /**
     * CMSG_LEN of one descriptor, see cmsg(3). CMSG_SPACE is rounded up and has room for two descriptors. Then a peer that
     * sends two would leave the second one open here.
     */
    private static final int CONTROL_LENGTH = 20;

    /** Most descriptors of one message: SCM_MAX_FD of the kernel, see unix(7). */
    public static final int MAX_DESCRIPTORS = 253;

    /** Length of the head of a control message, see cmsg(3). */
    private static final int CONTROL_HEAD = 16;

    private DescriptorPassing() {}

    /**
     * The result of one recvmsg(2).
     *
     * @param count bytes; 0 at the end of the stream, -1 if nothing is there yet
     * @param descriptor descriptor that came with them, closed on exec; the caller closes it
     */
    public record Received(int count, Optional<Fd> descriptor) {}

    /**
     * Sends a few bytes and, with them, a copy of the descriptor. Blocks as the socket does.
     *
     * @throws LinuxException EPIPE if no process can read, EBADF or ENOTSOCK if it is not a Unix socket
     */
    public static void send(int socket, byte[] data, int offset, int length, Fd descriptor) {
        if (length < 1 || length > Scratch.STRUCT_BYTES - DATA) {
            throw new IllegalArgumentException("cannot send " + length + " bytes with a descriptor");
        }
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            scratch.numbers().put(DATA, data, offset, length);
            ByteBuffer numbers = header(scratch, memory.address() + DATA, length);
            numbers.putLong(CONTROL, CONTROL_LENGTH);
            numbers.putInt(CONTROL + 8, SOL_SOCKET);
            numbers.putInt(CONTROL + 12, SCM_RIGHTS);
            numbers.putInt(CONTROL + 16, descriptor.number());
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
     * Sends one byte and, with it, copies of the descriptors. Does not block.
     *
     * @param descriptors 1 to {@value #MAX_DESCRIPTORS}
     * @throws LinuxException EAGAIN if the peer's queue is full, ETOOMANYREFS if more descriptors of this user are under way
     *     than RLIMIT_NOFILE allows
     */
    public static void leave(int socket, List<Fd> descriptors) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            ByteBuffer numbers = header(scratch, memory.address() + DATA, 1);
            int length = CONTROL_HEAD + Integer.BYTES * descriptors.size();
            // Behind the byte of data: the usual place has room for few.
            int control = DATA + Long.BYTES;
            numbers.putLong(HEADER + 32, memory.address() + control);
            numbers.putLong(HEADER + 40, length);
            numbers.putLong(control, length);
            numbers.putInt(control + 8, SOL_SOCKET);
            numbers.putInt(control + 12, SCM_RIGHTS);
            for (int i = 0; i < descriptors.size(); i++) {
                numbers.putInt(
                        control + CONTROL_HEAD + Integer.BYTES * i,
                        descriptors.get(i).number());
            }
            Kernel.check(
                    Kernel.call(scratch, Syscall.SENDMSG, socket, memory.address(), MSG_NOSIGNAL | MSG_DONTWAIT, 0),
                    Syscall.SENDMSG,
                    socket);
        }
    }

    /**
     * Drops the oldest message of {@link #leave}. Its descriptors never become descriptors of this process. Does not block.
     *
     * @throws LinuxException EAGAIN if there is none
     */
    public static void drop(int socket) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            ByteBuffer numbers = header(scratch, memory.address() + DATA, 1);
            numbers.putLong(HEADER + 40, 0);
            Kernel.check(
                    Kernel.call(scratch, Syscall.RECVMSG, socket, memory.address(), MSG_DONTWAIT, 0),
                    Syscall.RECVMSG,
                    socket);
        }
    }

    /**
     * Receives the available bytes and the first descriptor that came with them. The kernel closes further descriptors, for
     * which there is no room.
     *
     * @param buffer native memory
     */
    public static Received receive(int socket, MemorySegment buffer) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            ByteBuffer numbers = header(scratch, buffer.address(), buffer.byteSize());
            long count = Kernel.call(scratch, Syscall.RECVMSG, socket, memory.address(), MSG_CMSG_CLOEXEC, 0);
            if (count == -Errno.EAGAIN) {
                return new Received(-1, Optional.empty());
            }
            if (count == -Errno.ECONNRESET) {
                return new Received(0, Optional.empty()); // the peer ended with unread bytes of ours
            }
            Kernel.check(count, Syscall.RECVMSG, socket);
            return new Received((int) count, descriptor(numbers));
        }
    }

    private static ByteBuffer header(Scratch scratch, long data, long length) {
        MemorySegment memory = scratch.struct();
        ByteBuffer numbers = scratch.numbers();
        memory.asSlice(HEADER, DATA).fill((byte) 0);
        numbers.putLong(VECTOR, data);
        numbers.putLong(VECTOR + 8, length);
        numbers.putLong(HEADER + 16, memory.address() + VECTOR);
        numbers.putLong(HEADER + 24, 1);
        numbers.putLong(HEADER + 32, memory.address() + CONTROL);
        numbers.putLong(HEADER + 40, CONTROL_LENGTH);
        return numbers;
    }

    private static Optional<Fd> descriptor(ByteBuffer numbers) {
        boolean rights = numbers.getLong(HEADER + 40) >= CONTROL_LENGTH
                && numbers.getLong(CONTROL) >= CONTROL_LENGTH
                && numbers.getInt(CONTROL + 8) == SOL_SOCKET
                && numbers.getInt(CONTROL + 12) == SCM_RIGHTS;
        return rights ? Optional.of(new Fd(numbers.getInt(CONTROL + 16))) : Optional.empty();
    }
}
