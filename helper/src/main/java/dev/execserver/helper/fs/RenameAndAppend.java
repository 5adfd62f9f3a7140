package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.AppendParams;
import dev.execserver.protocol.fs.AppendResult;
import dev.execserver.protocol.fs.RenameParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.Arrays;
import java.util.Optional;

/** The additions {@code fs/rename} and {@code fs/append}. Stateless. */
final class RenameAndAppend {

    private RenameAndAppend() {}

    /** Renames within one file system in one step. A link itself is renamed, not its target. */
    static void rename(RenameParams params) {
        Paths.Place from = Paths.split(Paths.of(params.sourcePath()));
        Paths.Place to = Paths.split(Paths.of(params.destinationPath()));
        try (Fd source = Opener.parent(from.parent(), true);
                Fd destination = Opener.parent(to.parent(), true)) {
            ProtectedPlaces.checkPlace(source, from.name());
            ProtectedPlaces.checkPlace(destination, to.name());
            if (params.replace()) {
                refuseSecondName(params, source, from.name(), destination, to.name());
            }
            int flags = params.replace() ? 0 : DirectoryCalls.RENAME_NOREPLACE;
            DirectoryCalls.rename(source, from.name(), destination, to.name(), flags);
        } catch (LinuxException e) {
            throw failure(params, e, Paths.join(from.parent(), from.name()), Paths.join(to.parent(), to.name()));
        }
    }

    /** Refuses two names of the same file: rename(2) would do nothing, keep both names and report success. */
    private static void refuseSecondName(RenameParams params, Fd source, byte[] from, Fd destination, byte[] to) {
        Optional<FileStatus> first = find(source, from);
        Optional<FileStatus> second = find(destination, to);
        if (first.isEmpty() || second.isEmpty() || !first.get().sameFile(second.get())) {
            return;
        }
        boolean sameName = Arrays.equals(from, to) && FileCalls.status(source).sameFile(FileCalls.status(destination));
        if (!sameName) {
            throw RpcException.invalidRequest("`" + params.destinationPath().display() + "` is another name of the same"
                            + " file, a hard link, and renaming would leave both; remove `"
                            + params.sourcePath().display() + "` instead")
                    .withData("reason", "sameFile");
        }
    }

    private static Optional<FileStatus> find(Fd directory, byte[] name) {
        try {
            return Optional.of(FileCalls.statusAt(directory, name, false));
        } catch (LinuxException e) {
            return Optional.empty(); // the rename itself reports the error
        }
    }

    /** Returns the error of a rename. Either path may be the reason. */
    private static RpcException failure(RenameParams params, LinuxException e, byte[] from, byte[] to) {
        if (e.errno() == Errno.EBUSY) {
            Optional<RpcException> explained =
                    ProtectedPlaces.explanation(from).or(() -> ProtectedPlaces.explanation(to));
            if (explained.isPresent()) {
                return explained.get();
            }
        }
        RpcException error = FileErrors.of(e, params.sourcePath().display());
        if (!e.call().equals("renameat2")) {
            return error;
        }
        error = error.withData("destinationPath", params.destinationPath().display());
        return e.errno() == Errno.EXDEV
                ? error.withData(
                        "detail", "the two are on different file systems or mounts: use fs/copy, then fs/remove")
                : error;
    }

    /** Appends to a file. Up to some ten kilobytes are written in one piece, even if other programs append too. */
    static AppendResult append(AppendParams params) {
        WriteFile.check(params.data(), "fs/append", "dataBase64");
        byte[] path = Paths.of(params.path());
        try (RegularFile file =
                Opener.forWriting(path, FileCalls.O_APPEND, RegularFile.NEW_FILE, params.followSymlinks())) {
            append(file, params);
            return new AppendResult(file.currentStatus().size());
        }
    }

    /**
     * Appends and reports how much was written before a failure. That part stays, because other programs may have
     * appended after it.
     */
    private static void append(RegularFile file, AppendParams params) {
        long[] written = {0};
        try {
            WriteFile.forEachPiece(params.data(), (bytes, offset, length) -> {
                int done = 0;
                while (done < length) {
                    int count = ContentCalls.appendSome(file.fd(), bytes, offset + done, length - done);
                    done += count;
                    written[0] += count;
                }
            });
        } catch (LinuxException e) {
            RpcException error = FileErrors.of(e, params.path().display());
            throw written[0] == 0 ? error : error.withData("written", written[0]);
        }
    }
}
