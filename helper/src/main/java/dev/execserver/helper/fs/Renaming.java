package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.AppendParams;
import dev.execserver.protocol.fs.AppendResult;
import dev.execserver.protocol.fs.RenameParams;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;

/** The additions {@code fs/rename} and {@code fs/append}. Stateless. */
final class Renaming {

    private Renaming() {}

    /** Within one file system, in one step; a link is renamed itself. */
    static void rename(RenameParams params) {
        Paths.Place from = Paths.split(Paths.of(params.sourcePath()));
        Paths.Place to = Paths.split(Paths.of(params.destinationPath()));
        try (Fd source = Opener.parent(from.parent(), true);
                Fd destination = Opener.parent(to.parent(), true)) {
            int flags = params.replace() ? 0 : DirectoryCalls.RENAME_NOREPLACE;
            DirectoryCalls.rename(source, from.name(), destination, to.name(), flags);
        }
    }

    /** Up to some ten kilobytes in one piece, whoever else appends. */
    static AppendResult append(AppendParams params) {
        WriteFile.check(params.data(), "fs/append", "dataBase64");
        byte[] path = Paths.of(params.path());
        try (RegularFile file =
                Opener.forWriting(path, FileCalls.O_APPEND, RegularFile.NEW_FILE, params.followSymlinks())) {
            WriteFile.forEachPiece(
                    params.data(), (bytes, offset, length) -> ContentCalls.append(file.fd(), bytes, offset, length));
            return new AppendResult(file.currentStatus().size());
        }
    }
}
