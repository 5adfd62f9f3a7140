package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;

/**
 * What may be told of the files that this process opens for somebody who may see less than it does. It looks at each file
 * after that was opened, because only then it is certain which one a path has led to. Any thread.
 */
@FunctionalInterface
public interface Disclosure {

    /** Everything that this process itself may see. */
    Disclosure FULL = opened -> true;

    /**
     * Whether anything of the file may be told. Does not wait for a file on a block device.
     *
     * @param opened also with O_PATH
     */
    boolean allows(Fd opened);

    /** @throws LinuxException EACCES, as for a file that a sandbox masks */
    default void require(Fd opened, byte[] path) {
        if (!allows(opened)) {
            throw new LinuxException("openat2", Paths.display(path), Errno.EACCES);
        }
    }
}
