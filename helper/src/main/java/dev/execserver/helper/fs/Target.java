package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.Optional;

/**
 * Where a file shall be put: an open directory, and a name in it that is no symbolic link. Links at the end of the path are
 * resolved here, step by step, also those that lead to a file that does not exist yet.
 *
 * @param directory opened with O_PATH; closed with the target
 * @param name one segment
 * @param status the regular file that is there now
 */
@SuppressWarnings("ArrayRecordComponent") // a name is bytes, and nobody compares targets
record Target(Fd directory, byte[] name, Optional<FileStatus> status) implements AutoCloseable {

    /** What the kernel itself follows, see path_resolution(7). */
    private static final int MAX_LINKS = 40;

    /**
     * Finds the place.
     *
     * @throws LinuxException EISDIR for a directory, ELOOP for a link that is not to be followed
     * @throws dev.execserver.protocol.rpc.RpcException -32600 for a device, pipe or socket
     */
    static Target of(byte[] path, boolean followSymlinks) {
        byte[] at = path;
        for (int links = 0; links <= MAX_LINKS; links++) {
            Paths.Place place = Paths.split(at);
            Fd directory = Opener.parent(place.parent(), followSymlinks);
            try {
                Optional<FileStatus> status = status(directory, place.name());
                if (status.filter(FileStatus::symbolicLink).isEmpty()) {
                    status.ifPresent(there -> Opener.refuseSpecial(path, there));
                    return new Target(directory, place.name(), status);
                }
                if (!followSymlinks) {
                    break;
                }
                byte[] link = DirectoryCalls.readLink(directory, place.name());
                at = link[0] == '/' ? link : Paths.join(place.parent(), link);
            } catch (RuntimeException e) {
                directory.close();
                throw e;
            }
            directory.close();
        }
        throw new LinuxException("openat2", Paths.display(path), Errno.ELOOP);
    }

    private static Optional<FileStatus> status(Fd directory, byte[] name) {
        try {
            return Optional.of(FileCalls.statusAt(directory, name, false));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public void close() {
        directory.close();
    }
}
