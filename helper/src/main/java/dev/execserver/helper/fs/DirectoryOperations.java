package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.CanonicalizeParams;
import dev.execserver.protocol.fs.CanonicalizeResult;
import dev.execserver.protocol.fs.CreateDirectoryParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** {@code fs/createDirectory} and {@code fs/canonicalize}. Stateless. */
final class DirectoryOperations {

    /** Mode for mkdir(2); the umask of the process removes bits from it. */
    static final int NEW_DIRECTORY = 0777;

    private DirectoryOperations() {}

    static void create(CreateDirectoryParams params) {
        byte[] path = Paths.of(params.path());
        if (params.recursive()) {
            makeAll(path, params.followSymlinks()).close();
            return;
        }
        if (Paths.segments(path).isEmpty()) {
            throw new LinuxException("mkdirat", Paths.display(path), Errno.EEXIST);
        }
        Paths.Place place = Paths.split(path);
        try (Fd parent = Opener.parent(place.parent(), params.followSymlinks())) {
            ProtectedPlaces.checkPlace(parent, place.name());
            DirectoryCalls.makeDirectory(parent, place.name(), NEW_DIRECTORY);
        }
    }

    /**
     * Makes the directory and its missing parents, each below the descriptor of its parent. Returns the directory,
     * opened with O_PATH.
     *
     * @throws LinuxException EEXIST when the last segment is something else, ENOTDIR when another segment is
     */
    static Fd makeAll(byte[] path, boolean followSymlinks) {
        Fd directory = Opener.parent(Paths.ROOT, followSymlinks);
        var segments = Paths.segments(path).iterator();
        while (segments.hasNext()) {
            byte[] segment = segments.next();
            try (Fd parent = directory) {
                directory = enterOrMake(parent, segment, !segments.hasNext(), followSymlinks);
            }
        }
        return directory;
    }

    private static Fd enterOrMake(Fd parent, byte[] name, boolean last, boolean followSymlinks) {
        boolean made = false;
        while (true) {
            try {
                return enter(parent, name, followSymlinks);
            } catch (LinuxException e) {
                if (e.errno() == Errno.ENOTDIR && last && followSymlinks) {
                    throw new LinuxException(e.call(), e.object(), Errno.EEXIST);
                }
                if (e.errno() != Errno.ENOENT || made) {
                    throw e;
                }
            }
            ProtectedPlaces.checkPlace(parent, name);
            try {
                DirectoryCalls.makeDirectory(parent, name, NEW_DIRECTORY);
            } catch (LinuxException e) {
                // EEXIST means that another program made it first, or that it is a link without a target. The next
                // attempt to enter tells.
                if (e.errno() != Errno.EEXIST || dangling(parent, name)) {
                    throw e;
                }
            }
            made = true;
        }
    }

    private static boolean dangling(Fd parent, byte[] name) {
        return FileCalls.statusAt(parent, name, false).symbolicLink();
    }

    private static Fd enter(Fd parent, byte[] name, boolean followSymlinks) {
        long resolve = followSymlinks ? FileCalls.RESOLVE_NO_MAGICLINKS : FileCalls.RESOLVE_NO_SYMLINKS;
        try {
            return Opener.open(parent.number(), name, FileCalls.O_PATH | FileCalls.O_DIRECTORY, 0, resolve);
        } catch (LinuxException e) {
            throw e.errno() == Errno.ELOOP && !followSymlinks
                    ? new LinuxException(e.call(), e.object(), Errno.ENOTDIR)
                    : e;
        }
    }

    /** Asks the kernel for the name of the open file, see proc_pid_fd(5). */
    static CanonicalizeResult canonicalize(CanonicalizeParams params, DisclosurePolicy disclosure) {
        return new CanonicalizeResult(PathUri.ofNative(canonical(Paths.of(params.path()), disclosure)));
    }

    /**
     * Returns the name of the open file. /proc is empty in sandboxes where it cannot be mounted, so links are then
     * followed here.
     */
    private static byte[] nameOf(Fd file, byte[] path) {
        try {
            return DirectoryCalls.readLink(("/proc/self/fd/" + file.number()).getBytes(StandardCharsets.US_ASCII));
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
            return CanonicalPath.canonical(path);
        }
    }

    static byte[] canonical(byte[] path, DisclosurePolicy disclosure) {
        try (Fd name = Opener.name(path, true)) {
            disclosure.require(name, path);
            byte[] canonical = nameOf(name, path);
            if (canonical.length == 0 || canonical[0] != '/') {
                // "(unreachable)": the file is outside our root, or was removed since.
                throw new LinuxException("readlinkat", Paths.display(path), Errno.ENOENT);
            }
            return Arrays.copyOf(canonical, canonical.length);
        }
    }
}
