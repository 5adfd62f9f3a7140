package dev.execserver.sandbox.linux;

import java.util.OptionalLong;
import java.util.Set;

/**
 * The status of a file from statx(2).
 *
 * @param mode type and permission bits as in inode(7)
 * @param size bytes
 * @param modifiedNs last change of the content, nanoseconds since the epoch
 * @param changedNs last change of content or attributes, nanoseconds since the epoch; no program can set it
 * @param bornNs creation, nanoseconds since the epoch; empty on file systems that do not record it
 * @param inode inode number, unique within the device
 * @param device major number in the upper, minor number in the lower 32 bits
 * @param links number of its names (hard links)
 * @param user owner
 * @param group group of the file
 * @param deviceOfNode for a device node: its device, encoded as {@code device}
 * @param mountRoot true if the file is the root of a mount; false before Linux 5.8, which does not tell
 */
public record FileStatus(
        int mode,
        long size,
        long modifiedNs,
        long changedNs,
        OptionalLong bornNs,
        long inode,
        long device,
        int links,
        int user,
        int group,
        long deviceOfNode,
        boolean mountRoot) {
    private static final int TYPE = 0170000;
    private static final int PERMISSIONS = 07777;

    /** /dev/null, /dev/zero and /dev/full: major number 1 is memory, see null(4) and full(4). */
    private static final Set<Long> SINKS = Set.of(1L << 32 | 3, 1L << 32 | 5, 1L << 32 | 7);

    /** Returns true if both describe the same file, under any names. */
    public boolean sameFile(FileStatus other) {
        return inode == other.inode && device == other.device;
    }

    /** Returns the permission bits with set-user-id, set-group-id and sticky bit. */
    public int permissions() {
        return mode & PERMISSIONS;
    }

    /** Returns false for network, FUSE and memory file systems: their devices have no major number. */
    public boolean onBlockDevice() {
        return device >>> 32 != 0;
    }

    public boolean regular() {
        return (mode & TYPE) == 0100000;
    }

    public boolean directory() {
        return (mode & TYPE) == 0040000;
    }

    /** Returns true for /dev/null, zero and full, which accept or refuse each write at once and keep nothing. */
    public boolean takesAllAtOnce() {
        return (mode & TYPE) == 0020000 && SINKS.contains(deviceOfNode);
    }

    public boolean socket() {
        return (mode & TYPE) == 0140000;
    }

    public boolean symbolicLink() {
        return (mode & TYPE) == 0120000;
    }
}
