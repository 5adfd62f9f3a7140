package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Datagrams of IPv4, see udp(7), on non-blocking sockets that were made elsewhere. Each tells the address that it was sent to, because a
 * reply must come from there: a socket for all addresses would else choose one itself. Stateless.
 */
public final class UdpCalls {
    /** The largest datagram that is received; the rest of a longer one is lost. */
    public static final int MAX_BYTES = 2048;

    private static final int MSG_DONTWAIT = 0x40;
    private static final int IPPROTO_IP = 0;
    private static final int IP_PKTINFO = 8;
    private static final int PEER_BYTES = 16;
    private static final int HOST_BYTES = 4;

    // Layout of the memory: the data, struct sockaddr_in, struct iovec, struct msghdr, and one control message.
    private static final int PEER_AT = MAX_BYTES;
    private static final int VECTOR_AT = PEER_AT + PEER_BYTES;
    private static final int HEADER_AT = VECTOR_AT + 16;
    private static final int CONTROL_AT = HEADER_AT + 56;
    private static final int CONTROL_HEADER = 16;
    private static final int PACKET_INFO_BYTES = 12;
    private static final int CONTROL_BYTES = 32;
    private static final int SOURCE_AT = CONTROL_AT + CONTROL_HEADER + 4;
    private static final int DESTINATION_AT = SOURCE_AT + HOST_BYTES;

    private UdpCalls() {}

    /**
     * A datagram.
     *
     * @param peer struct sockaddr_in of the other side
     * @param here the own address that it goes to or comes from, in network order
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Datagram(byte[] data, byte[] peer, byte[] here) {
        /** Returns the reply with these bytes, which goes the same way back. */
        public Datagram reply(byte[] bytes) {
            return new Datagram(bytes, peer, here);
        }
    }

    /** Makes the kernel tell the destination of each datagram. @throws LinuxException for what is no socket of IPv4 */
    public static void askForDestinations(int socket) {
        try (Scratch scratch = Scratch.take()) {
            scratch.numbers().putInt(0, 1);
            long address = scratch.struct().address();
            Kernel.check(
                    Kernel.call(scratch, Syscall.SETSOCKOPT, socket, IPPROTO_IP, IP_PKTINFO, address, 4, 0),
                    Syscall.SETSOCKOPT,
                    socket);
        }
    }

    /** Receives the next datagram; empty if none waits. */
    public static Optional<Datagram> receive(int socket) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            long header = header(scratch, MAX_BYTES);
            memory.asSlice(CONTROL_AT, CONTROL_BYTES).fill((byte) 0);
            long count = Kernel.call(scratch, Syscall.RECVMSG, socket, header, MSG_DONTWAIT, 0);
            if (count < 0) {
                return Optional.empty(); // EAGAIN, or an error report of an earlier answer
            }
            return Optional.of(new Datagram(
                    memory.asSlice(0, count).toArray(JAVA_BYTE),
                    memory.asSlice(PEER_AT, PEER_BYTES).toArray(JAVA_BYTE),
                    memory.asSlice(DESTINATION_AT, HOST_BYTES).toArray(JAVA_BYTE)));
        }
    }

    /** Sends a datagram; one that cannot be sent is lost, as datagrams may be. */
    public static boolean send(int socket, Datagram datagram) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            MemorySegment.copy(datagram.data(), 0, memory, JAVA_BYTE, 0, datagram.data().length);
            MemorySegment.copy(datagram.peer(), 0, memory, JAVA_BYTE, PEER_AT, PEER_BYTES);
            long header = header(scratch, datagram.data().length);
            memory.asSlice(CONTROL_AT, CONTROL_BYTES).fill((byte) 0);
            scratch.numbers()
                    .putLong(CONTROL_AT, CONTROL_HEADER + PACKET_INFO_BYTES)
                    .putInt(CONTROL_AT + 8, IPPROTO_IP)
                    .putInt(CONTROL_AT + 12, IP_PKTINFO);
            MemorySegment.copy(datagram.here(), 0, memory, JAVA_BYTE, SOURCE_AT, HOST_BYTES);
            return Kernel.call(scratch, Syscall.SENDMSG, socket, header, MSG_DONTWAIT, 0) >= 0;
        }
    }

    /** Fills struct msghdr and struct iovec. Returns the address of the former. */
    private static long header(Scratch scratch, int length) {
        ByteBuffer numbers = scratch.numbers();
        long memory = scratch.struct().address();
        numbers.putLong(VECTOR_AT, memory).putLong(VECTOR_AT + 8, length);
        numbers.putLong(HEADER_AT, memory + PEER_AT).putLong(HEADER_AT + 8, PEER_BYTES);
        numbers.putLong(HEADER_AT + 16, memory + VECTOR_AT).putLong(HEADER_AT + 24, 1);
        numbers.putLong(HEADER_AT + 32, memory + CONTROL_AT).putLong(HEADER_AT + 40, CONTROL_BYTES);
        numbers.putLong(HEADER_AT + 48, 0);
        return memory + HEADER_AT;
    }
}
