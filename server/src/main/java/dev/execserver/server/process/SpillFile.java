package dev.execserver.server.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Output of one process that no longer fits into memory, in a file without a name, used as a ring.
 *
 * <p>The file is unlinked as soon as it is open, so nothing is left on the disk however the server ends. Positions grow
 * for ever; a position modulo the capacity is the place in the file, and no block of bytes is broken at the end of it.
 * Reads and writes block in the kernel: only file workers call them. {@link #reserve} and {@link #release} are guarded
 * by the lock of {@link OutputLog}.
 */
final class SpillFile implements AutoCloseable {

    private static final AtomicLong NEXT = new AtomicLong();

    private final FileChannel channel;
    private final long capacity;
    private long tail;
    private long head;

    private SpillFile(FileChannel channel, long capacity) {
        this.channel = channel;
        this.capacity = capacity;
    }

    /**
     * Makes the file and unlinks it. The directory belongs to this server and is private to it, so a counter is name enough.
     *
     * @param capacity bytes that the ring holds at most
     */
    static SpillFile create(Path directory, long capacity) throws IOException {
        Path file = directory.resolve("spill-" + NEXT.getAndIncrement());
        FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Files.delete(file);
        return new SpillFile(channel, capacity);
    }

    /** Takes {@code length} bytes of the ring; returns their position, or -1 when so much is not free. */
    long reserve(int length) {
        long place = tail % capacity;
        long position = place + length <= capacity ? tail : tail + capacity - place;
        if (position + length - head > capacity) {
            return -1;
        }
        tail = position + length;
        return position;
    }

    /** Gives back everything before {@code position}. */
    void release(long position) {
        head = Math.max(head, position);
    }

    /** Gives back the whole ring. */
    void releaseAll() {
        head = tail;
    }

    void write(long position, byte[] bytes) throws IOException {
        ByteBuffer source = ByteBuffer.wrap(bytes);
        long place = position % capacity;
        while (source.hasRemaining()) {
            place += channel.write(source, place);
        }
    }

    byte[] read(long position, int length) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(length);
        long place = position % capacity;
        while (target.hasRemaining()) {
            int count = channel.read(target, place);
            if (count < 0) {
                throw new IOException("spill file ends at " + place + ", " + target.remaining() + " bytes are missing");
            }
            place += count;
        }
        return target.array();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
