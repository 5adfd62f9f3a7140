package dev.execserver.server.process.output;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Ring file for output of one process that no longer fits into memory.
 *
 * <p>The file has no name, so nothing is left on the disk, even if the server is killed. Positions grow for ever. A
 * position modulo the capacity is the offset in the file, and no block of bytes is split at the end of the file. Reads
 * and writes block in the kernel: only file workers call them. The lock of {@link OutputLog} guards {@link #reserve}
 * and {@link #release}.
 */
final class SpillFile implements AutoCloseable {

    private static final int OWNER_ONLY = 0600;

    private final FileChannel channel;
    private final long capacity;
    private long tail;
    private long head;

    private SpillFile(FileChannel channel, long capacity) {
        this.channel = channel;
        this.capacity = capacity;
    }

    /**
     * Creates the file. Commands of this server may be able to write to the directory, so the file never has a name
     * there; see O_TMPFILE in open(2).
     *
     * @param capacity size of the ring in bytes
     */
    static SpillFile create(Path directory, long capacity) throws IOException {
        try (Fd file = unnamed(directory)) {
            FileChannel channel = FileChannel.open(
                    Path.of("/proc/self/fd/" + file.number()), StandardOpenOption.READ, StandardOpenOption.WRITE);
            return new SpillFile(channel, capacity);
        } catch (LinuxException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static Fd unnamed(Path directory) {
        byte[] path = bytes(directory);
        try {
            return FileCalls.open(path, FileCalls.O_RDWR | FileCalls.O_TMPFILE, OWNER_ONLY);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EOPNOTSUPP && e.errno() != Errno.EISDIR) {
                throw e;
            }
            return unlinked(directory);
        }
    }

    /**
     * Creates the file on file systems without O_TMPFILE, such as overlayfs before Linux 6.1. While it has a name, its
     * mode lets no process open it.
     */
    private static Fd unlinked(Path directory) {
        byte[] path = bytes(directory.resolve("exec-server-spill-" + UUID.randomUUID()));
        int flags = FileCalls.O_RDWR | FileCalls.O_CREAT | FileCalls.O_EXCL | FileCalls.O_NOFOLLOW;
        Fd file = FileCalls.open(path, flags, 0);
        try {
            EntryCalls.removeFile(path);
            ContentCalls.changeMode(file, OWNER_ONLY);
            return file;
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Reserves {@code length} bytes of the ring. Returns their position, or -1 if not enough are free. */
    long reserve(int length) {
        long place = tail % capacity;
        long position = place + length <= capacity ? tail : tail + capacity - place;
        if (position + length - head > capacity) {
            return -1;
        }
        tail = position + length;
        return position;
    }

    /** Frees everything before {@code position}. */
    void release(long position) {
        head = Math.max(head, position);
    }

    /** Frees the whole ring. */
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
