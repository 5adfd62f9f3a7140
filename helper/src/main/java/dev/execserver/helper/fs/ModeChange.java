package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.SetModeParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;

/** The addition {@code fs/setMode} for files and directories. Stateless. */
final class ModeChange {

    private static final int FLAGS = FileCalls.O_NONBLOCK | FileCalls.O_NOCTTY;

    private ModeChange() {}

    static void change(SetModeParams params) {
        byte[] path = Paths.of(params.path());
        try (Fd name = Opener.name(path, params.followSymlinks())) {
            check(path, FileCalls.status(name));
        }
        try (Fd file = open(path, params.followSymlinks())) {
            FileStatus status = FileCalls.status(file);
            check(path, status);
            checkPlace(path, file, status, params.followSymlinks());
            ContentCalls.changeMode(file, params.mode());
        }
    }

    /**
     * Checks the opened file against the names that the sandbox refuses. A directory leads to its parents. A file does
     * not, so the path must still lead to it.
     */
    private static void checkPlace(byte[] path, Fd file, FileStatus status, boolean followSymlinks) {
        if (!ProtectedPlaces.refuseNames()) {
            return;
        }
        if (status.directory()) {
            ProtectedPlaces.checkWay(file);
            return;
        }
        try (ResolvedPlace target = ResolvedPlace.of(path, followSymlinks)) {
            if (target.status().filter(status::sameFile).isEmpty()) {
                throw new LinuxException("fchmod", Paths.display(path), Errno.ESTALE);
            }
        }
    }

    /**
     * Opens the file for fchmod(2), which does not accept O_PATH descriptors. Falls back to writing, because an owner
     * may be allowed to write a file that it may not read.
     */
    private static Fd open(byte[] path, boolean followSymlinks) {
        try {
            return Opener.open(path, FileCalls.O_RDONLY | FLAGS, 0, followSymlinks);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EACCES) {
                throw e;
            }
            return Opener.open(path, FileCalls.O_WRONLY | FLAGS, 0, followSymlinks);
        }
    }

    private static void check(byte[] path, FileStatus status) {
        if (status.symbolicLink()) {
            throw new LinuxException("openat2", Paths.display(path), Errno.ELOOP);
        }
        if (!status.regular() && !status.directory()) {
            throw RpcException.invalidRequest("path `" + Paths.display(path) + "` is neither a file nor a directory");
        }
    }
}
