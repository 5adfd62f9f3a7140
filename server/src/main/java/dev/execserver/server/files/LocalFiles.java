package dev.execserver.server.files;

import dev.execserver.helper.fs.DisclosurePolicy;
import dev.execserver.helper.fs.FileCondition;
import dev.execserver.helper.fs.FileReplacement;
import dev.execserver.helper.fs.FileSource;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.transport.files.NewFile;
import dev.execserver.server.transport.files.WholeFiles;

/** Reads and replaces whole files in this process. No state. */
final class LocalFiles implements WholeFiles {

    private final FileWorkers workers;
    private final DisclosurePolicy disclosure;

    /** @param disclosure limits what is reported about files; writing needs full disclosure */
    LocalFiles(FileWorkers workers, DisclosurePolicy disclosure) {
        this.workers = workers;
        this.disclosure = disclosure;
    }

    @Override
    public FileSource read(PathUri path) {
        byte[] bytes = path.bytes();
        return workers.call(() -> FileSource.open(bytes, disclosure));
    }

    @Override
    public NewFile write(PathUri path, FileCondition condition) {
        byte[] bytes = path.bytes();
        FileReplacement sink = workers.call(() -> FileReplacement.open(bytes, condition));
        return new NewFile() {
            @Override
            public void write(byte[] from, int length) {
                sink.write(from, length);
            }

            @Override
            public FileReplacement.Stored commit() {
                return workers.call(sink::commit);
            }

            @Override
            public void close() {
                workers.release(sink::close);
            }
        };
    }
}
