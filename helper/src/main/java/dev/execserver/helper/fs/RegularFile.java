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
 * An open regular file. One thread at a time; whoever opened it closes it. Every call may block for as long as the file
 * system likes.
 */
public final class RegularFile implements AutoCloseable {

    /** As open(2) has it: the umask of the process takes the rest. */
    static final int NEW_FILE = 0666;

    /** Content up to this size is written by one write(2). */
    static final int ONE_WRITE_BYTES = 48 * 1024;

    /** Until it has the mode that it shall have. */
    static final int PRIVATE_FILE = 0600;

    static final int SET_ID_BITS = 06000;

    /** What is read to its end of a file that says it is empty. */
    static final long MAX_UNSIZED_BYTES = FsLimits.READ_FILE_REFERENCE_BYTES;

    private final Fd fd;
    private final FileStatus opened;
    private final byte[] path;

    /** @param path for errors; none is told when it is not absolute */
    RegularFile(Fd fd, FileStatus opened, byte[] path) {
        this.fd = fd;
        this.opened = opened;
        this.path = path;
    }

    /**
     * Opens a file for reading. Directories, devices, pipes and sockets are refused without being opened.
     *
     * @throws RpcException -32004 when there is no such file, -32600 without permission or when it is not a regular file
     */
    public static RegularFile read(byte[] path, boolean followSymlinks) {
        return read(path, followSymlinks, Disclosure.FULL);
    }

    /** As above; refused like a file without permission when nothing of it may be told. */
    static RegularFile read(byte[] path, boolean followSymlinks, Disclosure disclosure) {
        try {
            return Opener.forReading(path, followSymlinks, disclosure);
        } catch (LinuxException e) {
            throw FileErrors.of(e);
        }
    }

    /**
     * Makes a file, or empties the one that is there. It can only be written.
     *
     * @throws RpcException as {@link #read}; -32603 for a directory
     */
    public static RegularFile replace(byte[] path, boolean followSymlinks) {
        return replace(path, followSymlinks, OptionalInt.empty(), 0);
    }

    /**
     * As {@link #replace(byte[], boolean)}, for content of a known size; the file has this mode before it gets content. It
     * is not emptied when one write will cover all that it has: then nobody ever finds it empty or cut, whatever happens
     * in between, and ext4 has no reason to write it to the disk at once (auto_da_alloc in ext4(5)). With a mode it is
     * emptied all the same: what it had before may not be for those whom the mode lets in.
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
     * Empties the file, opened for writing, for content that fewer may see, and lets nobody see more of the old one. Who may
     * not change the mode is told so before anything is lost.
     */
    void emptyFor(int permissions) {
        try {
            ContentCalls.changeMode(fd, opened.permissions() & permissions & ~SET_ID_BITS);
            ContentCalls.truncate(fd, 0);
        } catch (LinuxException e) {
            throw new LinuxException(e.call(), Paths.display(path), e.errno()); // of a copy it is not the source
        }
    }

    /** Empties the file and gives it a mode; {@link #complete} belongs behind the new content. */
    void become(int permissions) {
        emptyFor(permissions);
        ContentCalls.changeMode(fd, permissions & ~SET_ID_BITS);
    }

    /** The rest of a mode, which a write by an ordinary user would take away again, see write(2). */
    void complete(int permissions) {
        if ((permissions & SET_ID_BITS) != 0) {
            ContentCalls.changeMode(fd, permissions);
        }
    }

    /**
     * Takes over a file that somebody else has opened, who need not be trusted: anything but a regular file could make its
     * reader wait for ever.
     *
     * @throws RpcException -32603 when it is none; the descriptor is closed then
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

    /** The open file itself, to be handed to another process. It stays this object's. */
    public Fd descriptor() {
        return fd;
    }

    /** Bytes when it was opened; 0 for the files of /proc, whatever they hold. */
    public long size() {
        return opened.size();
    }

    /** Milliseconds since 1970, when it was opened. */
    public long modifiedAtMs() {
        return TimeUnit.NANOSECONDS.toMillis(opened.modifiedNs());
    }

    /**
     * Reads until the range is full or the file ends.
     *
     * @param position bytes from the start of the file
     * @return bytes read; fewer than {@code length} only at the end
     * @throws RpcException for what the file system says
     */
    public int read(byte[] to, int offset, int length, long position) {
        try {
            return ContentCalls.read(fd, to, offset, length, position);
        } catch (LinuxException e) {
            throw FileErrors.of(e, Paths.display(path));
        }
    }

    /**
     * Writes all of it.
     *
     * @param position bytes from the start of the file; beyond its end leaves a hole
     * @throws RpcException for what the file system says; some of it may have been written
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

    /** What was known when it was opened. */
    FileStatus status() {
        return opened;
    }

    /** Whether somebody has made it longer since it was opened. Files of /proc stay at their 0. */
    boolean grown() {
        return currentStatus().size() > size();
    }

    /**
     * For those who read to the end: some files of /proc, {@code /proc/self/pagemap} above all, go on for longer than any disk.
     *
     * @param read bytes so far
     * @throws RpcException -32600 when the file did not tell its size and has more than {@value #MAX_UNSIZED_BYTES} bytes
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
