package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;

/**
 * Writer of the content of an open file that other programs do not see yet, from its start. One thread at a time. The
 * caller keeps the file. Every call may block for as long as the file system blocks.
 */
public final class ContentAppender {

    /**
     * Bytes after which the kernel is told to start writing to the disk, so that the final sync has less to wait for.
     */
    private static final long SYNC_STEP_BYTES = 8 << 20;

    private final Fd fd;
    private final String path;
    private long written;
    private long syncStarted;

    ContentAppender(Fd fd, byte[] path) {
        this.fd = fd;
        this.path = Paths.display(path);
    }

    /**
     * Writes to an open file.
     *
     * @param path for error messages
     */
    public ContentAppender(RegularFile file, byte[] path) {
        this(file.descriptor(), path);
    }

    /**
     * Appends bytes.
     *
     * @throws RpcException for errors of the file system, such as a full disk
     */
    public void append(byte[] from, int length) {
        try {
            ContentCalls.write(fd, from, 0, length, written);
            written += length;
            if (written - syncStarted >= SYNC_STEP_BYTES) {
                ContentCalls.startSync(fd, syncStarted, written - syncStarted);
                syncStarted = written;
            }
        } catch (LinuxException e) {
            throw FileErrors.of(e, path);
        }
    }
}
