package dev.execserver.sandbox.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Memory outside of the heap for large content that does not live long, see mmap(2): in huge pages where the system has them,
 * since filling fresh memory page by page takes several times as long as reading a cached file into it. Given back by
 * {@link #close()}, and by the collector when that was forgotten. One thread at a time.
 */
public final class Pages implements AutoCloseable {
    private static final int PROT_READ = 1;
    private static final int PROT_WRITE = 2;
    private static final int MAP_PRIVATE = 2;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MADV_HUGEPAGE = 14;
    /** Of x86-64, and of arm64 with pages of 4 KiB. */
    private static final int HUGE_BYTES = 2 * 1024 * 1024;

    private final Mapping mapping;
    private ByteBuffer bytes;

    /** What must be given back once. Knows nothing of the memory's users, so that the collector can see when they are gone. */
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
     * Empty memory.
     *
     * @param length bytes, at least 1
     * @throws LinuxException ENOMEM
     */
    public static Pages map(int length) {
        // As much more as it takes to begin where a huge page does; what is not touched costs nothing.
        long mapped = (long) length + HUGE_BYTES;
        int protection = PROT_READ | PROT_WRITE;
        int flags = MAP_PRIVATE | MAP_ANONYMOUS;
        try (Scratch scratch = Scratch.take()) {
            long address = Kernel.call(scratch, Syscall.MMAP, 0, mapped, protection, flags, -1, 0);
            Kernel.check(address, Syscall.MMAP, mapped + " bytes of memory");
            Mapping mapping = new Mapping(address, mapped, new AtomicBoolean());
            long first = (address + HUGE_BYTES - 1) & -HUGE_BYTES;
            // Only whole ones: of the last one most might not be needed. A hint; without it all works, only slower.
            long _ = Kernel.call(scratch, Syscall.MADVISE, first, length & -HUGE_BYTES, MADV_HUGEPAGE, 0);
            return new Pages(mapping, first, length);
        }
    }

    /**
     * Fills the memory with pread(2) from the start of a file until it is full or the file ends. Blocks for as long as the
     * file system likes.
     *
     * @return bytes read; fewer than the memory has only at the end of the file
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

    /** Copies a range out of it. */
    public void get(int position, byte[] to, int offset, int count) {
        bytes.get(position, to, offset, count);
    }

    @Override
    public void close() {
        bytes = ByteBuffer.allocate(0);
        mapping.unmap();
    }
}
