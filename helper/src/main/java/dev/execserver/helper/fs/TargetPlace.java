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
 * Where a file stands, or will stand: an open directory and a name in it that is no symbolic link. Links at the end of a
 * path are followed here one by one, each from the directory that it was found in, because a file that replaces another by
 * rename(2) would replace the link.
 *
 * @param directory opened with O_PATH; closed by {@link #close}
 * @param status of what has the name now
 */
@SuppressWarnings("ArrayRecordComponent") // a name is bytes, and nobody compares places
record TargetPlace(Fd directory, byte[] name, Optional<FileStatus> status) implements AutoCloseable {

    /** As many as the kernel follows in a path, see path_resolution(7). */
    private static final int MAX_LINKS = 40;

    /**
     * Finds the place of a regular file.
     *
     * @throws LinuxException also EISDIR when the path leads to a directory, ELOOP for a link of /proc to an open file
     * @throws RpcException -32600 when it leads to a device, pipe or socket
     */
    static TargetPlace find(byte[] path) {
        Optional<Fd> from = Optional.empty();
        byte[] way = path;
        try {
            for (int links = 0; links <= MAX_LINKS; links++) {
                byte[] name = name(way, path);
                Fd directory = open(from, Arrays.copyOf(way, way.length - name.length));
                from.ifPresent(Fd::close);
                from = Optional.of(directory);
                Optional<FileStatus> status = status(directory, name);
                if (status.filter(FileStatus::symbolicLink).isEmpty()) {
                    refuseSpecial(path, status);
                    from = Optional.empty();
                    return new TargetPlace(directory, name, status);
                }
                refuseMagic(directory, name);
                way = DirectoryCalls.readLink(directory, name);
            }
            throw new LinuxException("openat2", Paths.display(path), Errno.ELOOP);
        } finally {
            from.ifPresent(Fd::close);
        }
    }

    /** The last segment. */
    private static byte[] name(byte[] way, byte[] path) {
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

    private static Fd open(Optional<Fd> from, byte[] parent) {
        int start = from.map(Fd::number).orElse(FileCalls.AT_FDCWD);
        byte[] way = parent.length == 0 ? Paths.HERE : parent;
        int flags = FileCalls.O_PATH | FileCalls.O_DIRECTORY;
        return Opener.open(start, way, flags, 0, FileCalls.RESOLVE_NO_MAGICLINKS);
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

    private static void refuseSpecial(byte[] path, Optional<FileStatus> status) {
        if (status.filter(FileStatus::directory).isPresent()) {
            throw new LinuxException("openat2", Paths.display(path), Errno.EISDIR);
        }
        if (status.filter(found -> !found.regular()).isPresent()) {
            throw FileErrors.notAFile(path);
        }
    }

    /** What has the name at this moment. */
    Optional<FileStatus> currentStatus() {
        return status(directory, name);
    }

    @Override
    public void close() {
        directory.close();
    }
}
