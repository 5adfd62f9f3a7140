package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;

/**
 * What is written, from its start on, into an open file that others do not see yet. One thread at a time; the file stays
 * the caller's. Every call may block for as long as the file system likes.
 */
public final class NewContent {

    /** So often the kernel is told to begin writing to the disk, which whoever syncs the file has to wait for. */
    private static final long SYNC_STEP_BYTES = 8 << 20;

    private final Fd fd;
    private final String path;
    private long written;
    private long syncStarted;

    NewContent(Fd fd, byte[] path) {
        this.fd = fd;
        this.path = Paths.display(path);
    }

    /** @param path for errors */
    public NewContent(RegularFile file, byte[] path) {
        this(file.descriptor(), path);
    }

    /**
     * Appends.
     *
     * @throws RpcException for what the file system says, a full disk above all
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
