package dev.execserver.sandbox.linux;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Messages on Unix sockets, and who has sent them as the kernel says: SCM_CREDENTIALS, SO_PEERCRED and SO_PEERPIDFD of unix(7). The
 * layouts are those of all 64-bit Linux systems. No call blocks on a socket that does not. Stateless.
 */
public final class SocketPeers {
    /** Descriptors of one message that are taken; the kernel closes the others. */
    public static final int MAX_DESCRIPTORS = 16;

    private static final int SOL_SOCKET = 1;
    private static final int SO_TYPE = 3;
    private static final int SO_PASSCRED = 16;
    private static final int SO_PEERCRED = 17;
    private static final int SO_DOMAIN = 39;
    private static final int SO_PEERPIDFD = 77;
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int SCM_RIGHTS = 1;
    private static final int SCM_CREDENTIALS = 2;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_CMSG_CLOEXEC = 0x4000_0000;

    /** Size of struct ucred: pid, uid, gid. */
    private static final int CREDENTIALS = 12;

    /** Offsets in the scratch memory: struct msghdr, one struct iovec, control messages. */
    private static final int VECTOR = 64;

    private static final int CONTROL = 96;
    private static final int CONTROL_HEADER = 16;
    private static final int CONTROL_BYTES = 2 * CONTROL_HEADER + 16 + MAX_DESCRIPTORS * 4;

    private SocketPeers() {}

    /**
     * A message that was received.
     *
     * @param count bytes; 0 for an empty message or the end of a stream, -1 if nothing is there yet
     * @param descriptors that came with it, closed on exec; the caller closes them
     * @param sender pid of the process that has sent it, as this process sees it, if the socket asks for that
     */
    public record Received(int count, List<Fd> descriptors, OptionalInt sender) {}

    /** Makes the kernel tell the sender of each message. */
    public static void askForSenders(int socket) {
        try (Scratch scratch = Scratch.take()) {
            scratch.numbers().putInt(0, 1);
            long address = scratch.struct().address();
            Kernel.check(
                    Kernel.call(scratch, Syscall.SETSOCKOPT, socket, SOL_SOCKET, SO_PASSCRED, address, 4, 0),
                    Syscall.SETSOCKOPT,
                    socket);
        }
    }

    /** Receives a message, or what is there of a stream. */
    public static Received receive(int socket, MemorySegment buffer) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            ByteBuffer numbers = scratch.numbers();
            memory.asSlice(0, CONTROL + CONTROL_BYTES).fill((byte) 0);
            numbers.putLong(VECTOR, buffer.address());
            numbers.putLong(VECTOR + 8, buffer.byteSize());
            numbers.putLong(16, memory.address() + VECTOR);
            numbers.putLong(24, 1);
            numbers.putLong(32, memory.address() + CONTROL);
            numbers.putLong(40, CONTROL_BYTES);
            int flags = MSG_CMSG_CLOEXEC | MSG_DONTWAIT;
            long count = Kernel.call(scratch, Syscall.RECVMSG, socket, memory.address(), flags, 0);
            if (count == -Errno.EAGAIN) {
                return new Received(-1, List.of(), OptionalInt.empty());
            }
            if (count == -Errno.ECONNRESET) {
                return new Received(0, List.of(), OptionalInt.empty());
            }
            Kernel.check(count, Syscall.RECVMSG, socket);
            return controlled((int) count, numbers, (int) numbers.getLong(40));
        }
    }

    private static Received controlled(int count, ByteBuffer numbers, int length) {
        List<Fd> descriptors = new ArrayList<>();
        OptionalInt sender = OptionalInt.empty();
        int end = CONTROL + length;
        for (int at = CONTROL; at + CONTROL_HEADER <= end; ) {
            int size = (int) numbers.getLong(at);
            if (size < CONTROL_HEADER || at + size > end) {
                break;
            }
            int type = numbers.getInt(at + 12);
            if (numbers.getInt(at + 8) == SOL_SOCKET && type == SCM_RIGHTS) {
                for (int i = at + CONTROL_HEADER; i + 4 <= at + size; i += 4) {
                    descriptors.add(new Fd(numbers.getInt(i)));
                }
            } else if (numbers.getInt(at + 8) == SOL_SOCKET && type == SCM_CREDENTIALS) {
                sender = OptionalInt.of(numbers.getInt(at + CONTROL_HEADER));
            }
            at += size + 7 & ~7;
        }
        return new Received(count, List.copyOf(descriptors), sender);
    }

    /** Returns true if the descriptor is a stream socket of unix(7). */
    public static boolean unixStream(int descriptor) {
        return number(descriptor, SO_DOMAIN).equals(OptionalInt.of(AF_UNIX))
                && number(descriptor, SO_TYPE).equals(OptionalInt.of(SOCK_STREAM));
    }

    /** Returns true if the descriptor is a socket, but none of unix(7). */
    public static boolean foreignSocket(int descriptor) {
        OptionalInt domain = number(descriptor, SO_DOMAIN);
        return domain.isPresent() && domain.getAsInt() != AF_UNIX;
    }

    /** Returns the process that has made the pair of which this is one socket, as this process sees it; 0 if it does not. */
    public static int maker(int socket) {
        try (Scratch scratch = Scratch.take()) {
            long result = option(scratch, socket, SO_PEERCRED, CREDENTIALS);
            Kernel.check(result, Syscall.GETSOCKOPT, socket);
            return scratch.numbers().getInt(0);
        }
    }

    /**
     * Returns a descriptor of that process.
     *
     * @return empty if it is gone
     */
    public static Optional<Fd> makersDescriptor(int socket, int maker) {
        long result;
        try (Scratch scratch = Scratch.take()) {
            result = option(scratch, socket, SO_PEERPIDFD, 4);
            if (result >= 0) {
                return Optional.of(new Fd(scratch.numbers().getInt(0)));
            }
        }
        return result == -Errno.ENOPROTOOPT ? ProcessCalls.tryPidfdOpen(maker) : Optional.empty();
    }

    private static OptionalInt number(int descriptor, int name) {
        try (Scratch scratch = Scratch.take()) {
            return option(scratch, descriptor, name, 4) < 0
                    ? OptionalInt.empty()
                    : OptionalInt.of(scratch.numbers().getInt(0));
        }
    }

    private static long option(Scratch scratch, int socket, int name, int bytes) {
        ByteBuffer numbers = scratch.numbers();
        numbers.putInt(64, bytes);
        long address = scratch.struct().address();
        return Kernel.call(scratch, Syscall.GETSOCKOPT, socket, SOL_SOCKET, name, address, address + 64, 0);
    }

    /**
     * Sends a datagram without content, which nobody needs to read. So a sender learns if the other socket still exists.
     *
     * @return false if no process has it any more
     */
    public static boolean otherExists(int datagramSocket) {
        try (Scratch scratch = Scratch.take()) {
            long result = Kernel.call(
                    scratch,
                    Syscall.SENDTO,
                    datagramSocket,
                    scratch.struct().address(),
                    0,
                    MSG_NOSIGNAL | MSG_DONTWAIT,
                    0,
                    0);
            return result != -Errno.ECONNREFUSED && result != -Errno.EPIPE;
        }
    }
}
