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
 * The place of a file that exists or will be made: an open directory and a name in it that is no symbolic link.
 *
 * <p>Links at the end of the path are followed here one by one, each from its own directory, also if the last one leads
 * to a missing file. Otherwise rename(2) would replace the link, not the file.
 *
 * @param directory opened with O_PATH; closed with the target
 * @param name one segment
 * @param status the regular file that was found there, if any
 */
@SuppressWarnings("ArrayRecordComponent") // a name is bytes, and targets are never compared
record ResolvedPlace(Fd directory, byte[] name, Optional<FileStatus> status) implements AutoCloseable {

    /** The limit of the kernel, see path_resolution(7). */
    private static final int MAX_LINKS = 40;

    /**
     * Finds the place.
     *
     * @throws LinuxException EISDIR for a directory; ENOTDIR for a file with a slash after its name; ELOOP for a link
     *     that must not be followed, or that leads to an open file and not along a path
     * @throws RpcException -32600 for a device, pipe or socket
     */
    static ResolvedPlace of(byte[] path, boolean followSymlinks) {
        Paths.Place place = Paths.split(path);
        byte[] name = place.name();
        Fd directory = Opener.parent(place.parent(), followSymlinks);
        try {
            for (int links = 0; links <= MAX_LINKS; links++) {
                Optional<FileStatus> status = status(directory, name);
                if (status.filter(FileStatus::symbolicLink).isEmpty()) {
                    status.ifPresent(there -> Opener.refuseSpecial(path, there));
                    refuseSlash(path, status);
                    ProtectedPlaces.checkPlace(directory, name);
                    ResolvedPlace found = new ResolvedPlace(directory, name, status);
                    directory = null; // the target owns it from here on
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

    /** Refuses a slash after the name, as open(2) does with O_CREAT. */
    private static void refuseSlash(byte[] path, Optional<FileStatus> status) {
        if (path[path.length - 1] == '/') {
            int errno = status.isPresent() ? Errno.ENOTDIR : Errno.EISDIR;
            throw new LinuxException("openat2", Paths.display(path), errno);
        }
    }

    /** Returns the last segment of a link. A link that ends in a slash, a dot or two dots leads to a directory. */
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
     * Refuses links of /proc that lead to open files. Their text is no path to follow: {@code /proc/self/exe} would be
     * the program of this server. The kernel detects such links, also as the target of other links.
     */
    private static void refuseMagic(Fd directory, byte[] name) {
        try {
            Opener.open(directory.number(), name, FileCalls.O_PATH, 0, FileCalls.RESOLVE_NO_MAGICLINKS)
                    .close();
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) { // a link without a target yet
                throw e;
            }
        }
    }

    /** Returns true if both are the same name in the same directory. */
    boolean samePlace(ResolvedPlace other) {
        return Arrays.equals(name, other.name)
                && FileCalls.status(directory).sameFile(FileCalls.status(other.directory));
    }

    @Override
    public void close() {
        directory.close();
    }
}
