package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * An open regular file. One thread at a time; the opener closes it. Every call may block for as long as the file system
 * blocks.
 */
public final class RegularFile implements AutoCloseable {

    /** Mode for open(2); the umask of the process removes bits from it. */
    static final int NEW_FILE = 0666;

    /** Content up to this size is written by one write(2). */
    static final int ONE_WRITE_BYTES = 48 * 1024;

    /** Mode of a new file until it gets its final mode. */
    static final int PRIVATE_FILE = 0600;

    static final int SET_ID_BITS = 06000;

    /** Most bytes that are read of a file that reports size 0. */
    static final long MAX_UNSIZED_BYTES = FsLimits.READ_FILE_REFERENCE_BYTES;

    private final Fd fd;
    private final FileStatus opened;
    private final byte[] path;

    /**
     * Wraps an open file.
     *
     * @param path for errors; they omit it when it is not absolute
     */
    RegularFile(Fd fd, FileStatus opened, byte[] path) {
        this.fd = fd;
        this.opened = opened;
        this.path = path;
    }

    /**
     * Opens a file for reading. Directories, devices, pipes and sockets are refused without being opened.
     *
     * @throws RpcException -32004 when the file does not exist, -32600 without permission or when it is not a regular
     *     file
     */
    public static RegularFile read(byte[] path, boolean followSymlinks) {
        return read(path, followSymlinks, DisclosurePolicy.FULL);
    }

    /** Does the same; a file that may not be disclosed is refused like a file without permission. */
    static RegularFile read(byte[] path, boolean followSymlinks, DisclosurePolicy disclosure) {
        try {
            return Opener.forReading(path, followSymlinks, disclosure);
        } catch (LinuxException e) {
            throw FileErrors.of(e);
        }
    }

    /**
     * Makes a file or empties the existing one. The result can only be written.
     *
     * @throws RpcException as {@link #read}; -32603 for a directory
     */
    public static RegularFile replace(byte[] path, boolean followSymlinks) {
        return replace(path, followSymlinks, OptionalInt.empty(), 0);
    }

    /**
     * Does the same as {@link #replace(byte[], boolean)} for content of a known size. A given mode is set before the
     * file gets content.
     *
     * <p>The file is not emptied if one write will cover its old content. So readers never find it empty or cut, even
     * if this process dies in between, and ext4 has no reason to write it to the disk at once (auto_da_alloc in
     * ext4(5)). With a mode the file is always emptied, because the old content may not be meant for the users whom the
     * new mode admits.
     */
    static RegularFile replace(byte[] path, boolean followSymlinks, OptionalInt mode, long size) {
        try {
            RegularFile file = Opener.forWriting(path, 0, mode.isPresent() ? PRIVATE_FILE : NEW_FILE, followSymlinks);
            try {
                if (mode.isPresent()) {
                    file.become(mode.getAsInt());
                } else if (size == 0 || size > ONE_WRITE_BYTES || file.size() > size) {
                    ContentCalls.truncate(file.fd, 0);
                }
                return file;
            } catch (RuntimeException e) {
                file.close();
                throw e;
            }
        } catch (LinuxException e) {
            throw FileErrors.of(e, Paths.display(path));
        }
    }

    /**
     * Empties the file, which is open for writing, and first restricts its mode to the bits that old and new mode
     * share. So no other user can read old or new content. A process that may not change the mode fails before any
     * content is lost.
     */
    void emptyFor(int permissions) {
        try {
            ContentCalls.changeMode(fd, opened.permissions() & permissions & ~SET_ID_BITS);
            ContentCalls.truncate(fd, 0);
        } catch (LinuxException e) {
            throw new LinuxException(e.call(), Paths.display(path), e.errno()); // names the copy, not its source
        }
    }

    /** Empties the file and sets its mode. Call {@link #complete} after the new content was written. */
    void become(int permissions) {
        emptyFor(permissions);
        ContentCalls.changeMode(fd, permissions & ~SET_ID_BITS);
    }

    /** Sets the set-id bits of a mode. A write by an ordinary user would clear them, see write(2). */
    void complete(int permissions) {
        if ((permissions & SET_ID_BITS) != 0) {
            ContentCalls.changeMode(fd, permissions);
        }
    }

    /**
     * Takes over a file that an untrusted process has opened. Anything but a regular file could block its reader for
     * ever.
     *
     * @throws RpcException -32603 when it is not a regular file; the descriptor is then closed
     */
    public static RegularFile received(Fd fd) {
        try {
            FileStatus status = FileCalls.status(fd);
            if (status.regular()) {
                return new RegularFile(fd, status, new byte[0]);
            }
        } catch (LinuxException e) {
            fd.close();
            throw FileErrors.of(e);
        }
        fd.close();
        throw RpcException.internal("the file helper opened something that is not a regular file");
    }

    /** Returns the descriptor, so that it can be passed to another process. This object keeps it. */
    public Fd descriptor() {
        return fd;
    }

    /** Returns the size in bytes at the time of opening. It is 0 for files of /proc, whatever they contain. */
    public long size() {
        return opened.size();
    }

    /** Returns the modification time at the time of opening, in milliseconds since 1970. */
    public long modifiedAtMs() {
        return TimeUnit.NANOSECONDS.toMillis(opened.modifiedNs());
    }

    /**
     * Reads until the range is full or the file ends.
     *
     * @param position bytes from the start of the file
     * @return bytes read; fewer than {@code length} only at the end
     * @throws RpcException for errors of the file system
     */
    public int read(byte[] to, int offset, int length, long position) {
        try {
            return ContentCalls.read(fd, to, offset, length, position);
        } catch (LinuxException e) {
            throw FileErrors.of(e, Paths.display(path));
        }
    }

    /**
     * Writes all bytes.
     *
     * @param position bytes from the start of the file; a position beyond its end leaves a hole
     * @throws RpcException for errors of the file system; some bytes may have been written
     */
    public void write(byte[] from, int offset, int length, long position) {
        try {
            ContentCalls.write(fd, from, offset, length, position);
        } catch (LinuxException e) {
            throw FileErrors.of(e, Paths.display(path));
        }
    }

    Fd fd() {
        return fd;
    }

    /** Returns the status at the time of opening. */
    FileStatus status() {
        return opened;
    }

    /** Returns true if the file is longer than at the time of opening. Files of /proc keep their size 0. */
    boolean grown() {
        return currentStatus().size() > size();
    }

    /**
     * Throws if an endless file was read too far. Some files of /proc, such as {@code /proc/self/pagemap}, are longer
     * than any disk.
     *
     * @param read bytes so far
     * @throws RpcException -32600 when the file reported no size and has more than {@value #MAX_UNSIZED_BYTES} bytes
     */
    void checkUnsized(long read) {
        if (size() == 0 && read > MAX_UNSIZED_BYTES) {
            throw RpcException.invalidRequest("`" + Paths.display(path) + "` does not tell its size and has more than "
                            + MAX_UNSIZED_BYTES + " bytes; read it with fs/open and fs/readBlock")
                    .withData("path", Paths.display(path));
        }
    }

    FileStatus currentStatus() {
        return FileCalls.status(fd);
    }

    @Override
    public void close() {
        fd.close();
    }
}
