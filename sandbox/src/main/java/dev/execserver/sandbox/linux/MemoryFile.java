package dev.execserver.sandbox.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Files without a path that exist in memory only, see memfd_create(2), for programs and data. No call blocks. Stateless. */
public final class MemoryFile {
    private static final int MFD_CLOEXEC = 1;
    private static final int MFD_ALLOW_SEALING = 2;
    /** Linux 6.3. Without it, a file cannot be executed if vm.memfd_noexec is set. */
    private static final int MFD_EXEC = 0x10;

    private static final int F_ADD_SEALS = 1033;
    /** F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE. */
    private static final int ALL_SEALS = 0xf;

    private static final int READ_EXECUTE = 0555;
    /** Lowest descriptor number that is not standard input, output or error of a child. */
    private static final int FIRST_PLAIN = 3;

    private MemoryFile() {}

    /**
     * Makes a program with this content, which can be run through /proc/PID/fd. It is sealed: no process can change it any
     * more, also not through another descriptor.
     *
     * @param name shown in /proc/PID/fd, for people
     * @throws LinuxException also EACCES if vm.memfd_noexec is 2; nothing stays open then
     */
    public static Fd program(String name, byte[] content) {
        Fd fd = executable(name);
        try {
            write(fd, content);
            ContentCalls.changeMode(fd, READ_EXECUTE);
            long sealed = Kernel.call(Syscall.FCNTL, fd.number(), F_ADD_SEALS, ALL_SEALS);
            Kernel.check(sealed, Syscall.FCNTL, fd.number());
            return fd;
        } catch (RuntimeException e) {
            fd.close();
            throw e;
        }
    }

    /**
     * Makes an empty file for data, which may grow.
     *
     * @param name shown in /proc/PID/fd, for people
     */
    public static Fd data(String name) {
        return create(name, MFD_CLOEXEC);
    }

    private static Fd executable(String name) {
        try {
            return create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EINVAL) {
                throw e;
            }
            return create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); // before Linux 6.3
        }
    }

    private static Fd create(String name, int flags) {
        try (Scratch scratch = Scratch.take()) {
            long address = scratch.path("memfd_create", name.getBytes(StandardCharsets.UTF_8));
            long number = Kernel.call(scratch, Syscall.MEMFD_CREATE, address, flags, 0, 0);
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
