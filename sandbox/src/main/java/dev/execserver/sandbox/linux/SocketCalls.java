package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

/** Unix domain sockets, see unix(7). No call blocks. Stateless. */
public final class SocketCalls {
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = 02000000;
    private static final int SHUT_WR = 1;
    private static final int FIRST_PLAIN = 3;

    private SocketCalls() {}

    /** Two connected sockets; both are closed on exec. */
    public record SocketPair(Fd ours, Fd theirs) implements AutoCloseable {
        @Override
        public void close() {
            ours.close();
            theirs.close();
        }
    }

    /**
     * socketpair(2) of stream sockets. A reader learns more than from a pipe: the end of the stream if the other end was
     * closed with everything read, ECONNRESET if something was left unread.
     *
     * @throws LinuxException EMFILE or ENFILE if no descriptor is left; nothing stays open then
     */
    public static SocketPair streamPair() {
        return pair(SOCK_STREAM);
    }

    /**
     * socketpair(2) of datagram sockets; otherwise as {@link #streamPair}. A reader learns nothing of the end of the other
     * socket, only a sender does: ECONNREFUSED.
     */
    public static SocketPair datagramPair() {
        return pair(SOCK_DGRAM);
    }

    private static SocketPair pair(int type) {
        int first;
        int second;
        try (Scratch scratch = Scratch.take()) {
            long address = scratch.struct().address();
            long result = Kernel.call(scratch, Syscall.SOCKETPAIR, AF_UNIX, type | SOCK_CLOEXEC, 0, address);
            Kernel.check(result, Syscall.SOCKETPAIR, "");
            first = scratch.struct().get(JAVA_INT, 0);
            second = scratch.struct().get(JAVA_INT, 4);
        }
        Fd ours = new Fd(first);
        Fd theirs = new Fd(second);
        if (first >= FIRST_PLAIN && second >= FIRST_PLAIN) {
            return new SocketPair(ours, theirs);
        }
        try (ours;
                theirs) {
            Fd highOurs = FileCalls.duplicate(first, FIRST_PLAIN);
            try {
                return new SocketPair(highOurs, FileCalls.duplicate(second, FIRST_PLAIN));
            } catch (LinuxException e) {
                highOurs.close();
                throw e;
            }
        }
    }

    /** shutdown(2) of the sending side: the other end reads the bytes under way and then the end of the stream. */
    public static void endSending(int socket) {
        Kernel.check(Kernel.call(Syscall.SHUTDOWN, socket, SHUT_WR, 0), Syscall.SHUTDOWN, socket);
    }
}
