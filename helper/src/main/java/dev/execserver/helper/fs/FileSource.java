package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.RpcException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * A regular file that is about to be sent in full or in part. One thread at a time; the opener closes it. Every call
 * may block for as long as the file system blocks.
 */
public final class FileSource implements AutoCloseable {

    /**
     * Most bytes that are read of a file of size 0 to learn its real size. Files of /proc and the like report size 0.
     */
    public static final int MAX_UNSIZED_BYTES = 1 << 20;

    /**
     * Files up to this size are read at once, because files of /sys report a page whatever they contain. A page has at
     * most 64 KiB.
     */
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
     * @throws RpcException -32004 when the file does not exist; -32600 without permission, when it is not a regular
     *     file, or when it reports no size and has more than {@value #MAX_UNSIZED_BYTES} bytes
     */
    public static FileSource open(byte[] path) {
        return open(path, DisclosurePolicy.FULL);
    }

    /** Does the same; a file that may not be disclosed is refused like a file without permission. */
    public static FileSource open(byte[] path, DisclosurePolicy disclosure) {
        return of(RegularFile.read(path, true, disclosure), path);
    }

    /**
     * Takes over a file that is already open.
     *
     * @param path for error messages
     * @throws RpcException -32600 when the file reports no size and has more than {@value #MAX_UNSIZED_BYTES} bytes;
     *     the file is then closed
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
            return Optional.of(Arrays.copyOf(first, (int) Math.min(start, file.size()))); // the file may have grown
        }
        if (file.grown()) {
            return Optional.of(new byte[0]); // it really was empty when it was opened
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

    /** Returns the size in bytes at the time of opening. */
    public long size() {
        return content.map(bytes -> (long) bytes.length).orElseGet(file::size);
    }

    /** Returns a strong entity tag with its quotes. */
    public String tag() {
        return FileTag.of(file.status());
    }

    /** Returns the time of the last change of the content. */
    public Instant modified() {
        return Instant.ofEpochSecond(0, file.status().modifiedNs());
    }

    /**
     * Reads until the range is full or the file ends.
     *
     * @return bytes read; fewer than {@code length} when the file has become shorter
     * @throws RpcException for errors of the file system
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
