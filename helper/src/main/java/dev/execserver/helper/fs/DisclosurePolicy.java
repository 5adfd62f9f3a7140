package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;

/**
 * Decides which opened files may be disclosed to a client that may see less than this process. It checks a file after
 * it was opened, because only then is it certain which file the path led to. Any thread.
 */
@FunctionalInterface
public interface DisclosurePolicy {

    /** Allows everything that this process itself may see. */
    DisclosurePolicy FULL = opened -> true;

    /**
     * Returns true if content and metadata of the file may be disclosed. Does not wait for a file on a block device.
     *
     * @param opened may have been opened with O_PATH
     */
    boolean allows(Fd opened);

    /**
     * Throws unless the file may be disclosed.
     *
     * @throws LinuxException EACCES, as for a file that a sandbox masks
     */
    default void require(Fd opened, byte[] path) {
        if (!allows(opened)) {
            throw new LinuxException("openat2", Paths.display(path), Errno.EACCES);
        }
    }
}
