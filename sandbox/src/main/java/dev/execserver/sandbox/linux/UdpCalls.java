package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Datagrams of IPv4, see udp(7), on non-blocking sockets that were made elsewhere. Stateless. */
public final class UdpCalls {
    /** The largest datagram that is received; the rest of a longer one is lost. */
    public static final int MAX_BYTES = 2048;

    private static final int MSG_DONTWAIT = 0x40;
    private static final int ADDRESS_BYTES = 16;
    private static final int ADDRESS_AT = MAX_BYTES;
    private static final int LENGTH_AT = MAX_BYTES + ADDRESS_BYTES;

    private UdpCalls() {}

    /**
     * A datagram.
     *
     * @param peer struct sockaddr_in of the other side
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Datagram(byte[] data, byte[] peer) {}

    /** Receives the next datagram; empty if none waits. */
    public static Optional<Datagram> receive(int socket) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            memory.set(JAVA_INT, LENGTH_AT, ADDRESS_BYTES);
            long at = memory.address();
            long count = Kernel.call(
                    scratch, Syscall.RECVFROM, socket, at, MAX_BYTES, MSG_DONTWAIT, at + ADDRESS_AT, at + LENGTH_AT);
            if (count < 0) {
                return Optional.empty(); // EAGAIN, or an error report of an earlier answer
            }
            return Optional.of(new Datagram(
                    memory.asSlice(0, count).toArray(JAVA_BYTE),
                    memory.asSlice(ADDRESS_AT, ADDRESS_BYTES).toArray(JAVA_BYTE)));
        }
    }

    /** Sends a datagram; one that cannot be sent is lost, as datagrams may be. */
    public static boolean send(int socket, Datagram datagram) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            MemorySegment.copy(datagram.data(), 0, memory, JAVA_BYTE, 0, datagram.data().length);
            MemorySegment.copy(datagram.peer(), 0, memory, JAVA_BYTE, ADDRESS_AT, ADDRESS_BYTES);
            long at = memory.address();
            return Kernel.call(
                            scratch,
                            Syscall.SENDTO,
                            socket,
                            at,
                            datagram.data().length,
                            MSG_DONTWAIT,
                            at + ADDRESS_AT,
                            ADDRESS_BYTES)
                    >= 0;
        }
    }
}
