package dev.execserver.server.files;

import dev.execserver.protocol.fs.CopyParams;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.OpenMode;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.fs.RenameParams;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.rpc.Method.Audit;

/** Describes changes of files in the access log. Reads get no line: they are too many. Stateless. */
public final class FileLines {
    /** Lines of handles that write. */
    public static final Audit<OpenParams> OPENED = new Audit<>(
            AccessKind.FILE_CHANGED,
            params -> params.mode() != OpenMode.READ,
            (params, event, _) ->
                    describe(event, params.path().display(), params.sandbox().isPresent()));

    private FileLines() {}

    /** Returns the lines of requests that change something. */
    public static <P extends FileRequest> Audit<P> changed() {
        return new Audit<>(AccessKind.FILE_CHANGED, params -> params.use().changes(), (params, event, _) -> {
            describe(event, params.path().display(), params.sandbox().isPresent());
            if (params instanceof CopyParams copy) {
                event.put(AccessField.FILE_TARGET, copy.destinationPath().display());
            } else if (params instanceof RenameParams rename) {
                event.put(AccessField.FILE_TARGET, rename.destinationPath().display());
            }
        });
    }

    private static void describe(AccessEvent event, String path, boolean sandboxed) {
        event.put(AccessField.FILE_PATH, path).put(AccessField.SANDBOX_REQUESTED, sandboxed);
    }
}
