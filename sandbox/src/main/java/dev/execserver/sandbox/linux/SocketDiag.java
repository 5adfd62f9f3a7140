package dev.execserver.sandbox.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Asks the kernel about one socket of a network namespace with sock_diag(7), as a rule of this one with a netlink socket for each question. The
 * kernel answers within the write, so nothing blocks. Stateless; any thread.
 */
final class SocketDiag {
    /** Size of struct nlmsghdr, with which question and answer begin. */
    static final int HEADER_BYTES = 16;

    private static final int AF_NETLINK = 16;
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final int SOCK_RAW_NONBLOCK_CLOEXEC = 3 | 04000 | 02000000;
    private static final short SOCK_DIAG_BY_FAMILY = 20;
    private static final short NLM_F_REQUEST = 1;
    private static final short NLMSG_ERROR = 2;

    /** Offset of the answer, behind the question. */
    private static final int ANSWER = 1024;

    private static final int ANSWER_BYTES = 2048;
    private static final int TYPE = 4;
    private static final int FLAGS = 6;
    private static final int ATTRIBUTE_HEADER_BYTES = 4;

    private SocketDiag() {}

    /** Gets the attributes of an answer, one after the other. */
    @FunctionalInterface
    interface AttributeReader {
        void read(int type, ByteBuffer payload);
    }

    /**
     * Asks one question.
     *
     * @param requestBytes size of the question with its header, a multiple of 8
     * @param question writes the request behind the header; all other bytes are 0
     * @param leastBytes size of an answer without attributes, with its header
     * @param answer reads the answer, which begins with the header; it must not keep the buffer
     * @return empty if there is no such socket
     * @throws LinuxException if the kernel cannot be asked: EPROTONOSUPPORT, EPERM
     */
    static <T> Optional<T> ask(
            int requestBytes, Consumer<ByteBuffer> question, int leastBytes, Function<ByteBuffer, Optional<T>> answer) {
        try (Fd netlink = open()) {
            return ask(netlink.number(), requestBytes, question, leastBytes, answer);
        }
    }

    /**
     * Does the same with a socket of the caller, about its network namespace.
     *
     * @param netlink used by one thread at a time
     */
    static <T> Optional<T> ask(
            int netlink,
            int requestBytes,
            Consumer<ByteBuffer> question,
            int leastBytes,
            Function<ByteBuffer, Optional<T>> answer) {
        try (Scratch scratch = Scratch.take()) {
            ByteBuffer numbers = scratch.numbers();
            for (int i = 0; i < requestBytes; i += Long.BYTES) {
                numbers.putLong(i, 0);
            }
            numbers.putInt(0, requestBytes);
            numbers.putShort(TYPE, SOCK_DIAG_BY_FAMILY);
            numbers.putShort(FLAGS, NLM_F_REQUEST);
            question.accept(numbers);
            long address = scratch.struct().address();
            Kernel.check(
                    Kernel.call(scratch, Syscall.WRITE, netlink, address, requestBytes, 0), Syscall.WRITE, "sock_diag");
            long length = Kernel.check(
                    Kernel.call(scratch, Syscall.READ, netlink, address + ANSWER, ANSWER_BYTES, 0),
                    Syscall.READ,
                    "sock_diag");
            ByteBuffer message = numbers.slice(ANSWER, (int) length).order(ByteOrder.nativeOrder());
            return found(message, leastBytes) ? answer.apply(message) : Optional.empty();
        }
    }

    /** Returns true if the kernel has sockets for such questions. */
    static boolean available() {
        try (Fd _ = open()) {
            return true;
        } catch (LinuxException e) {
            return false;
        }
    }

    private static Fd open() {
        long number = Kernel.call(Syscall.SOCKET, AF_NETLINK, SOCK_RAW_NONBLOCK_CLOEXEC, NETLINK_SOCK_DIAG);
        return new Fd((int) Kernel.check(number, Syscall.SOCKET, "netlink sock_diag"));
    }

    private static boolean found(ByteBuffer message, int leastBytes) {
        if (message.limit() >= HEADER_BYTES + Integer.BYTES && message.getShort(TYPE) == NLMSG_ERROR) {
            int errno = -message.getInt(HEADER_BYTES);
            if (errno == Errno.ENOENT) {
                return false;
            }
            throw new LinuxException("sock_diag", "answer", errno);
        }
        if (message.limit() < leastBytes || message.getShort(TYPE) != SOCK_DIAG_BY_FAMILY) {
            throw new LinuxException("sock_diag", "answer", Errno.EPROTO);
        }
        return true;
    }

    /**
     * Reads attributes, struct nlattr with a payload each, aligned to four bytes; see netlink(7).
     *
     * @param from offset of the first one
     */
    static void attributes(ByteBuffer message, int from, AttributeReader reader) {
        int at = from;
        while (at + ATTRIBUTE_HEADER_BYTES <= message.limit()) {
            int length = Short.toUnsignedInt(message.getShort(at));
            if (length < ATTRIBUTE_HEADER_BYTES || at + length > message.limit()) {
                return;
            }
            ByteBuffer payload = message.slice(at + ATTRIBUTE_HEADER_BYTES, length - ATTRIBUTE_HEADER_BYTES)
                    .order(ByteOrder.nativeOrder());
            reader.read(message.getShort(at + 2), payload);
            at += length + 3 & ~3;
        }
    }
}
