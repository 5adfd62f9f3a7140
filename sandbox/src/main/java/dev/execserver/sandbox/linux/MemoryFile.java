package dev.execserver.sandbox.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Files without a name that exist in memory only, see memfd_create(2): how bytes are handed to a child as a descriptor
 * that it reads to the end. No call blocks. Stateless.
 */
public final class MemoryFile {
    private static final int MFD_CLOEXEC = 1;
    private static final int SEEK_SET = 0;
    /** Descriptors below this number are standard input, output and error of a child. */
    private static final int FIRST_PLAIN = 3;

    private MemoryFile() {}

    /**
     * A file with this content, positioned at its beginning and closed on exec.
     *
     * @param name shown in /proc/PID/fd, for people
     * @throws LinuxException also EMFILE; nothing stays open then
     */
    public static Fd of(String name, byte[] content) {
        Fd fd = create(name);
        try {
            write(fd, content);
            rewind(fd);
            return fd;
        } catch (RuntimeException e) {
            fd.close();
            throw e;
        }
    }

    /** To the beginning again. Copies of a descriptor share the position. */
    public static void rewind(Fd fd) {
        long result = Kernel.call(Syscall.LSEEK, fd.number(), 0, SEEK_SET);
        Kernel.check(result, Syscall.LSEEK, fd.number());
    }

    private static Fd create(String name) {
        try (Scratch scratch = Scratch.take()) {
            long address = scratch.path("memfd_create", name.getBytes(StandardCharsets.UTF_8));
            long number = Kernel.call(scratch, Syscall.MEMFD_CREATE, address, MFD_CLOEXEC, 0, 0);
            Fd fd = new Fd((int) Kernel.check(number, Syscall.MEMFD_CREATE, name));
            if (fd.number() >= FIRST_PLAIN) {
                return fd;
            }
            try (fd) {
                return FileCalls.duplicate(fd.number(), FIRST_PLAIN);
            }
        }
    }

    private static void write(Fd fd, byte[] content) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(Math.max(1, content.length));
            bytes.asSlice(0, content.length).copyFrom(MemorySegment.ofArray(content));
            long written = 0;
            while (written < content.length) {
                long count = FileCalls.write(fd.number(), bytes.asSlice(written, content.length - written));
                written += Kernel.check(count, Syscall.MEMFD_CREATE, fd.number());
            }
        }
    }
}
