package dev.execserver.server.mcp.shell;

import dev.execserver.server.memory.MemoryBudget;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Output of a command in the background: its last bytes, numbered from its beginning, and its end. One thread adds; threads of calls read and wait. {@code lock}
 * guards all fields.
 */
final class BackgroundOutput implements AutoCloseable {
    static final int MAX_BYTES = 1024 * 1024;

    private static final int FIRST_BYTES = 16 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final MemoryBudget memory;
    private byte[] ring = new byte[FIRST_BYTES];
    private long total;
    private long reserved;
    private Optional<End> end = Optional.empty();

    /** End of a command. The code is empty if the server has ended before it. */
    record End(OptionalInt exitCode, boolean timedOut) {}

    /**
     * Output after a cursor.
     *
     * @param next the cursor behind it
     * @param omitted bytes after the cursor that are not kept any more
     */
    record Piece(String text, long next, long omitted) {}

    BackgroundOutput(MemoryBudget memory) {
        this.memory = memory;
    }

    void add(byte[] bytes, int offset, int length) {
        lock.lock();
        try {
            makeRoom(total + length);
            int from = offset + Math.max(0, length - ring.length);
            long position = total + (from - offset);
            for (int i = from; i < offset + length; ) {
                int at = (int) (position % ring.length);
                int count = Math.min(offset + length - i, ring.length - at);
                System.arraycopy(bytes, i, ring, at, count);
                i += count;
                position += count;
            }
            total += length;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void makeRoom(long needed) {
        if (needed <= ring.length || ring.length == MAX_BYTES) {
            return;
        }
        int size = (int) Math.min(MAX_BYTES, Math.max(needed, ring.length * 2L));
        if (!memory.tryReserve(size - ring.length)) {
            return; // older output goes sooner
        }
        reserved += size - ring.length;
        byte[] larger = new byte[size];
        long first = firstKept();
        byte[] kept = bytes(first, (int) (total - first));
        ring = larger;
        for (int i = 0; i < kept.length; i++) {
            ring[(int) ((first + i) % size)] = kept[i];
        }
    }

    private long firstKept() {
        return Math.max(0, total - ring.length);
    }

    private byte[] bytes(long from, int count) {
        byte[] copy = new byte[count];
        int at = (int) (from % ring.length);
        int first = Math.min(count, ring.length - at);
        System.arraycopy(ring, at, copy, 0, first);
        System.arraycopy(ring, 0, copy, first, count - first);
        return copy;
    }

    void ended(End how) {
        lock.lock();
        try {
            end = Optional.of(how);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    Optional<End> end() {
        lock.lock();
        try {
            return end;
        } finally {
            lock.unlock();
        }
    }

    Piece after(long cursor, int maxBytes) {
        lock.lock();
        try {
            long from = Math.min(Math.max(cursor, firstKept()), total);
            byte[] bytes = bytes(from, (int) Math.min(maxBytes, total - from));
            boolean more = from + bytes.length < total;
            int skip = from > cursor ? Utf8Boundary.continuation(bytes) : 0;
            int until = more ? Utf8Boundary.completeLength(bytes, 0, bytes.length) : bytes.length;
            until = until <= skip ? bytes.length : until;
            return new Piece(
                    new String(bytes, skip, until - skip, StandardCharsets.UTF_8),
                    from + until,
                    Math.max(0, from + skip - Math.min(cursor, from)));
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if the text is in the output after the cursor. */
    boolean contains(long cursor, String text) {
        return after(cursor, MAX_BYTES).text().contains(text);
    }

    /** Returns true if there is output after the cursor, or will be none any more. */
    boolean news(long cursor) {
        lock.lock();
        try {
            return total > cursor || end.isPresent();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of bytes that came. */
    long total() {
        lock.lock();
        try {
            return total;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there are more bytes than {@code seen}, or the end, or {@link #wake}. */
    void await(long seen, long nanos) throws InterruptedException {
        lock.lock();
        try {
            if (total == seen && end.isEmpty()) {
                boolean _ = changed.await(nanos, TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            memory.release(reserved);
            reserved = 0;
        } finally {
            lock.unlock();
        }
    }
}
