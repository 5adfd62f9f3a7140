package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.RpcException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * A regular file that is about to be sent whole or in part. One thread at a time; whoever opened it closes it. Every call
 * may block for as long as the file system likes.
 */
public final class FileSource implements AutoCloseable {

    /** Files of /proc and the like say that they have no bytes; so much of one is read to learn its size. */
    public static final int MAX_UNSIZED_BYTES = 1 << 20;

    /** Files of /sys say that they have so many, whatever they have. */
    private static final int PAGE_BYTES = 64 * 1024;

    private final RegularFile file;
    private final Optional<byte[]> content;

    private FileSource(RegularFile file, Optional<byte[]> content) {
        this.file = file;
        this.content = content;
    }

    /**
     * Opens a file. Directories, devices, pipes and sockets are refused without being opened.
     *
     * @throws RpcException -32004 when there is no such file, -32600 without permission, when it is not a regular file, or
     *     when it does not tell its size and is too large to be held
     */
    public static FileSource open(byte[] path) {
        return open(path, Disclosure.FULL);
    }

    /** As above; refused like a file without permission when nothing of it may be told. */
    public static FileSource open(byte[] path, Disclosure disclosure) {
        return of(RegularFile.read(path, true, disclosure), path);
    }

    /**
     * Takes over a file that is open already.
     *
     * @param path for errors
     * @throws RpcException -32600 when it does not tell its size and is too large to be held; it is closed then
     */
    public static FileSource of(RegularFile file, byte[] path) {
        try {
            return new FileSource(file, file.size() > PAGE_BYTES ? Optional.empty() : content(file, path));
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static Optional<byte[]> content(RegularFile file, byte[] path) {
        byte[] first = new byte[(int) file.size() + 1];
        int start = file.read(first, 0, first.length, 0);
        if (start < first.length || file.size() > 0) {
            return Optional.of(Arrays.copyOf(first, (int) Math.min(start, file.size()))); // it may have grown
        }
        if (file.grown()) {
            return Optional.of(new byte[0]); // it was empty in truth
        }
        byte[] all = new byte[MAX_UNSIZED_BYTES + 1];
        int count = file.read(all, 0, all.length, 0);
        if (count > MAX_UNSIZED_BYTES) {
            throw RpcException.invalidRequest("`" + Paths.display(path) + "` does not tell its size and has more than "
                            + MAX_UNSIZED_BYTES + " bytes; read it with fs/open and fs/readBlock")
                    .withData("path", Paths.display(path));
        }
        return Optional.of(Arrays.copyOf(all, count));
    }

    /** Bytes when it was opened. */
    public long size() {
        return content.map(bytes -> (long) bytes.length).orElseGet(file::size);
    }

    /** A strong entity tag with its quotes. */
    public String tag() {
        return FileTag.of(file.status());
    }

    /** When the content was changed last. */
    public Instant modified() {
        return Instant.ofEpochSecond(0, file.status().modifiedNs());
    }

    /**
     * Reads until the range is full or the file ends.
     *
     * @return bytes read; fewer than {@code length} when the file has become shorter
     * @throws RpcException for what the file system says
     */
    public int read(byte[] to, int length, long position) {
        if (content.isPresent()) {
            int count = (int) Math.clamp(content.get().length - position, 0, length);
            System.arraycopy(content.get(), (int) position, to, 0, count);
            return count;
        }
        return file.read(to, 0, length, position);
    }

    @Override
    public void close() {
        file.close();
    }
}
