package dev.execserver.sandbox.linux;

import java.util.OptionalLong;

/**
 * What statx(2) tells about a file.
 *
 * @param mode type and permission bits as in inode(7)
 * @param size bytes
 * @param modifiedNs nanoseconds since the epoch
 * @param bornNs nanoseconds since the epoch; empty on file systems that do not record it
 * @param inode inode number, unique within the device
 * @param device major number in the upper, minor number in the lower 32 bits
 */
public record FileStatus(int mode, long size, long modifiedNs, OptionalLong bornNs, long inode, long device) {
    private static final int TYPE = 0170000;

    /** False for network, FUSE and memory file systems: their devices have no major number. */
    public boolean onBlockDevice() {
        return device >>> 32 != 0;
    }

    public boolean regular() {
        return (mode & TYPE) == 0100000;
    }

    public boolean directory() {
        return (mode & TYPE) == 0040000;
    }

    public boolean symbolicLink() {
        return (mode & TYPE) == 0120000;
    }
}
