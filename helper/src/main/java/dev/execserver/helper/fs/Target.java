package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Where a file stands, or shall be put: an open directory, and a name in it that is no symbolic link. Links at the end of
 * the path are followed here one by one, each from the directory that it was found in, because a file that takes the place
 * of another by rename(2) would take the place of the link; also those that lead to a file that does not exist yet.
 *
 * @param directory opened with O_PATH; closed with the target
 * @param name one segment
 * @param status the regular file that was there when it was found
 */
@SuppressWarnings("ArrayRecordComponent") // a name is bytes, and nobody compares targets
record Target(Fd directory, byte[] name, Optional<FileStatus> status) implements AutoCloseable {

    /** What the kernel itself follows, see path_resolution(7). */
    private static final int MAX_LINKS = 40;

    /**
     * Finds the place.
     *
     * @throws LinuxException EISDIR for a directory, ENOTDIR for a file with a slash behind its name, ELOOP for a link that is not to be followed, or that leads to an open
     *     file and not along a path
     * @throws RpcException -32600 for a device, pipe or socket
     */
    static Target of(byte[] path, boolean followSymlinks) {
        Paths.Place place = Paths.split(path);
        byte[] name = place.name();
        Fd directory = Opener.parent(place.parent(), followSymlinks);
        try {
            for (int links = 0; links <= MAX_LINKS; links++) {
                Optional<FileStatus> status = status(directory, name);
                if (status.filter(FileStatus::symbolicLink).isEmpty()) {
                    status.ifPresent(there -> Opener.refuseSpecial(path, there));
                    refuseSlash(path, status);
                    SandboxPlaces.checkPlace(directory, name);
                    Target found = new Target(directory, name, status);
                    directory = null; // the target's from here on
                    return found;
                }
                if (!followSymlinks) {
                    break;
                }
                refuseMagic(directory, name);
                byte[] way = DirectoryCalls.readLink(directory, name);
                name = lastSegment(way, path);
                Fd next = below(directory, Arrays.copyOf(way, way.length - name.length));
                directory.close();
                directory = next;
            }
            throw new LinuxException("openat2", Paths.display(path), Errno.ELOOP);
        } finally {
            if (directory != null) {
                directory.close();
            }
        }
    }

    /** As open(2) with O_CREAT does. */
    private static void refuseSlash(byte[] path, Optional<FileStatus> status) {
        if (path[path.length - 1] == '/') {
            int errno = status.isPresent() ? Errno.ENOTDIR : Errno.EISDIR;
            throw new LinuxException("openat2", Paths.display(path), errno);
        }
    }

    /** A link may say anything; what ends in a slash, a dot or two is a directory. */
    private static byte[] lastSegment(byte[] way, byte[] path) {
        int start = way.length;
        while (start > 0 && way[start - 1] != '/') {
            start--;
        }
        byte[] name = Arrays.copyOfRange(way, start, way.length);
        if (name.length == 0 || Arrays.equals(name, Paths.HERE) || Arrays.equals(name, Paths.UP)) {
            throw new LinuxException("openat2", Paths.display(path), Errno.EISDIR);
        }
        return name;
    }

    private static Fd below(Fd directory, byte[] way) {
        byte[] from = way.length == 0 ? Paths.HERE : way;
        int flags = FileCalls.O_PATH | FileCalls.O_DIRECTORY;
        return Opener.open(directory.number(), from, flags, 0, FileCalls.RESOLVE_NO_MAGICLINKS);
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

    /**
     * The text of a link below /proc that leads to an open file is no path to follow: {@code /proc/self/exe} would be the
     * program of this server. The kernel knows which links are of that kind, also further on the way.
     */
    private static void refuseMagic(Fd directory, byte[] name) {
        try {
            Opener.open(directory.number(), name, FileCalls.O_PATH, 0, FileCalls.RESOLVE_NO_MAGICLINKS)
                    .close();
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) { // a link that leads nowhere yet
                throw e;
            }
        }
    }

    /** Whether both are one name in one directory. */
    boolean samePlace(Target other) {
        return Arrays.equals(name, other.name)
                && FileCalls.status(directory).sameFile(FileCalls.status(other.directory));
    }

    @Override
    public void close() {
        directory.close();
    }
}
