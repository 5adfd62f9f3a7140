package dev.execserver.sandbox.io;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reads and writes whole pieces of a blocking descriptor. For programs that wait for nothing else; stateless. */
public final class BlockingBytes {
    private BlockingBytes() {}

    /** Reads so many bytes. @throws IOException EOFException if the end comes before */
    public static byte[] read(Fd descriptor, int length) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(Math.max(1, length));
            long at = 0;
            while (at < length) {
                long count = FileCalls.read(descriptor.number(), memory.asSlice(at, length - at));
                if (count == 0) {
                    throw new EOFException("the other end has closed the connection");
                }
                at += checked(count);
            }
            return memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** Writes all bytes. */
    public static void write(Fd descriptor, byte[] bytes, int offset, int length) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(Math.max(1, length));
            MemorySegment.copy(bytes, offset, memory, ValueLayout.JAVA_BYTE, 0, length);
            long at = 0;
            while (at < length) {
                at += checked(FileCalls.write(descriptor.number(), memory.asSlice(at, length - at)));
            }
        }
    }

    private static long checked(long count) throws IOException {
        if (count < 0) {
            throw new IOException("the connection is lost: " + Errno.text((int) -count));
        }
        return count;
    }
}
