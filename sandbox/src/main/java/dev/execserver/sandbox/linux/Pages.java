package dev.execserver.sandbox.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Memory outside of the heap for large content with a short life, see mmap(2). It uses huge pages if the system has them,
 * because filling fresh small pages takes several times as long as reading a cached file. {@link #close()} frees it; if that
 * was forgotten, the garbage collector does. One thread at a time.
 */
public final class Pages implements AutoCloseable {
    private static final int PROT_READ = 1;
    private static final int PROT_WRITE = 2;
    private static final int MAP_PRIVATE = 2;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MADV_HUGEPAGE = 14;
    /** Size of a huge page on x86-64, and on arm64 with pages of 4 KiB. */
    private static final int HUGE_BYTES = 2 * 1024 * 1024;

    private final Mapping mapping;
    private ByteBuffer bytes;

    /**
     * A mapping that must be unmapped once. It has no reference to its users, so that the collector can see when they are
     * gone.
     */
    private record Mapping(long address, long length, AtomicBoolean gone) {
        void unmap() {
            if (gone.compareAndSet(false, true)) {
                Kernel.check(Kernel.call(Syscall.MUNMAP, address, length, 0), Syscall.MUNMAP, toString());
            }
        }

        @Override
        public String toString() {
            return length + " bytes of memory";
        }
    }

    private Pages(Mapping mapping, long first, int length) {
        this.mapping = mapping;
        this.bytes = MemorySegment.ofAddress(first)
                .reinterpret(length, Arena.ofAuto(), memory -> mapping.unmap())
                .asByteBuffer();
    }

    /**
     * Maps empty memory.
     *
     * @param length bytes, at least 1
     * @throws LinuxException ENOMEM
     */
    public static Pages map(int length) {
        // Extra bytes let the memory begin at the start of a huge page. Untouched bytes cost nothing.
        long mapped = (long) length + HUGE_BYTES;
        int protection = PROT_READ | PROT_WRITE;
        int flags = MAP_PRIVATE | MAP_ANONYMOUS;
        try (Scratch scratch = Scratch.take()) {
            long address = Kernel.call(scratch, Syscall.MMAP, 0, mapped, protection, flags, -1, 0);
            Kernel.check(address, Syscall.MMAP, mapped + " bytes of memory");
            Mapping mapping = new Mapping(address, mapped, new AtomicBoolean());
            long first = (address + HUGE_BYTES - 1) & -HUGE_BYTES;
            // Only whole huge pages, because most of the last one might be unused. It is a hint: an error only makes
            // things slower.
            long _ = Kernel.call(scratch, Syscall.MADVISE, first, length & -HUGE_BYTES, MADV_HUGEPAGE, 0);
            return new Pages(mapping, first, length);
        }
    }

    /**
     * Fills the memory with pread(2) from the start of a file until it is full or the file ends. Blocks as long as the file
     * system does.
     *
     * @return bytes read; fewer than the size of the memory only at the end of the file
     */
    public int fill(Fd fd) {
        long address = MemorySegment.ofBuffer(bytes).address();
        int done = 0;
        while (done < bytes.capacity()) {
            long count = Kernel.call(Syscall.PREAD64, fd.number(), address + done, bytes.capacity() - done, done);
            Kernel.check(count, Syscall.PREAD64, fd.number());
            if (count == 0) {
                break;
            }
            done += (int) count;
        }
        return done;
    }

    /** Copies a range of the memory into an array. */
    public void get(int position, byte[] to, int offset, int count) {
        bytes.get(position, to, offset, count);
    }

    @Override
    public void close() {
        bytes = ByteBuffer.allocate(0);
        mapping.unmap();
    }
}
