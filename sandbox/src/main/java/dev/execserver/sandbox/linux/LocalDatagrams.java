package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Sends datagrams to Unix sockets, see unix(7); {@code java.nio} knows streams only. Never blocks. Stateless; any thread. */
public final class LocalDatagrams {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM_NONBLOCK_CLOEXEC = 2 | 04000 | 02000000;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int FAMILY_BYTES = 2;
    /** Size of {@code sun_path}; a path needs a NUL behind it. */
    private static final int NAME_BYTES = 108;

    private static final int DATA_AT = 128;
    private static final int DATA_BYTES = Scratch.STRUCT_BYTES - DATA_AT;

    private LocalDatagrams() {}

    /**
     * Sends one datagram from a socket of its own.
     *
     * @param address a path, or a name of the abstract namespace with a leading {@code @}
     * @throws LinuxException if nobody takes it: ENOENT, ECONNREFUSED, EAGAIN if the receiver's queue is full
     * @throws IllegalArgumentException if the address or the text is too long
     */
    public static void send(String address, String text) {
        byte[] name = address.getBytes(StandardCharsets.UTF_8);
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        if (name.length == 0 || name.length >= NAME_BYTES) {
            throw new IllegalArgumentException("no address of a Unix socket: " + address);
        }
        if (data.length > DATA_BYTES) {
            throw new IllegalArgumentException("a datagram has at most " + DATA_BYTES + " bytes");
        }
        boolean named = name[0] == '@';
        if (named) {
            name[0] = 0;
        }
        try (Fd socket = open();
                Scratch scratch = Scratch.take()) {
            MemorySegment memory = scratch.struct();
            memory.fill((byte) 0);
            memory.set(JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(name, 0, memory, JAVA_BYTE, FAMILY_BYTES, name.length);
            MemorySegment.copy(data, 0, memory, JAVA_BYTE, DATA_AT, data.length);
            long at = memory.address();
            // The length tells where a name of the abstract namespace ends; a path ends at its NUL.
            int length = FAMILY_BYTES + name.length + (named ? 0 : 1);
            long sent = Kernel.call(
                    scratch, Syscall.SENDTO, socket.number(), at + DATA_AT, data.length, MSG_NOSIGNAL, at, length);
            Kernel.check(sent, Syscall.SENDTO, address);
        }
    }

    private static Fd open() {
        long number = Kernel.call(Syscall.SOCKET, AF_UNIX, SOCK_DGRAM_NONBLOCK_CLOEXEC, 0);
        return new Fd((int) Kernel.check(number, Syscall.SOCKET, "AF_UNIX"));
    }
}
