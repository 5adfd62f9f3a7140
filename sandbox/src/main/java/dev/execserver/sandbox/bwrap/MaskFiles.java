package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PolicyRefusedException;

/**
 * Empty files of this server that are mounted over files that must not be read, or names that must not be created. They lie
 * in the server's own folder, which no command can see. They are checked before each start, and a checked view is compared
 * with the result.
 *
 * @param denied mode 000
 * @param readable mode 444
 */
record MaskFiles(Blank denied, Blank readable) {

    /** An empty file and its identity. */
    record Blank(LinuxPath path, FileId id) {}

    /**
     * Returns the blanks of a folder. Missing ones are made.
     *
     * @throws PolicyRefusedException if a file there is not the one that this server has made
     */
    static MaskFiles in(LinuxPath folder) {
        return new MaskFiles(blank(folder.child("denied"), 0), blank(folder.child("blank"), 0444));
    }

    private static Blank blank(LinuxPath path, int mode) {
        FileStatus status = status(path, mode);
        if (!status.regular() || status.size() != 0 || status.permissions() != mode) {
            throw new PolicyRefusedException(
                    path + " is not the empty file that this server has made; restart the server, see --state-dir");
        }
        return new Blank(path, new FileId(status.device(), status.inode()));
    }

    private static FileStatus status(LinuxPath path, int mode) {
        try {
            return FileCalls.status(path.bytes(), false);
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
        try {
            EntryCalls.makeFile(path.bytes(), mode);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EEXIST) {
                throw e;
            }
        }
        return FileCalls.status(path.bytes(), false);
    }
}
