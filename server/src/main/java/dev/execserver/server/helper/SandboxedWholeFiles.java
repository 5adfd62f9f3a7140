package dev.execserver.server.helper;

import dev.execserver.helper.fs.ContentAppender;
import dev.execserver.helper.fs.FileCondition;
import dev.execserver.helper.fs.FileReplacement;
import dev.execserver.helper.fs.FileSource;
import dev.execserver.helper.fs.LeftoverFile;
import dev.execserver.helper.fs.RegularFile;
import dev.execserver.protocol.fs.OpenMode;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.files.HelperOwner;
import dev.execserver.server.transport.files.NewFile;
import dev.execserver.server.transport.files.WholeFiles;
import java.util.Optional;

/**
 * Reads and replaces whole files in a sandbox. The helper opens the files and puts new content in place; this process
 * reads and writes the open files. Threads that may park enter. No state.
 */
final class SandboxedWholeFiles implements WholeFiles {

    private final HelperViews views;
    private final FileWorkers workers;
    private final SandboxContext context;
    private final HelperOwner user;

    SandboxedWholeFiles(HelperViews views, FileWorkers workers, SandboxContext context, HelperOwner user) {
        this.views = views;
        this.workers = workers;
        this.context = context;
        this.user = user;
    }

    @Override
    public FileSource read(PathUri path) throws InterruptedException {
        OpenParams params = new OpenParams("", path, OpenMode.READ, Optional.empty());
        RegularFile file = views.ask(context, user, true, helper -> helper.open(params, user.memory()));
        byte[] bytes = path.bytes();
        boolean taken = false;
        try {
            FileSource source = workers.call(() -> FileSource.of(file, bytes));
            taken = true;
            return source;
        } finally {
            if (!taken) {
                workers.release(file::close);
            }
        }
    }

    @Override
    public NewFile write(PathUri path, FileCondition condition) throws InterruptedException {
        Sink sink = new Sink(
                path, views.hold(context, user, true, helper -> helper.beginUpload(path, condition, user.memory())));
        boolean ready = false;
        try {
            sink.leftover = workers.call(() -> LeftoverFile.of(sink.file));
            ready = true;
            return sink;
        } finally {
            if (!ready) {
                sink.close();
            }
        }
    }

    private final class Sink implements NewFile {
        private final PathUri path;
        private final HelperViews.Held<HelperProcess.Upload> held;
        private final RegularFile file;
        private final ContentAppender content;
        private Optional<LeftoverFile> leftover = Optional.empty();
        private boolean ended;

        Sink(PathUri path, HelperViews.Held<HelperProcess.Upload> held) {
            this.path = path;
            this.held = held;
            this.file = held.answer().file();
            this.content = new ContentAppender(file, path.bytes());
        }

        @Override
        public void write(byte[] from, int length) {
            content.append(from, length);
        }

        @Override
        public FileReplacement.Stored commit() throws InterruptedException {
            // If the helper has gone, its view has gone with it: then commit reports the helper's end instead.
            if (!held.current() && held.alive()) {
                throw RpcException.invalidRequest("what the sandbox of `" + path.display()
                                + "` covers has changed while the file was received; send it again")
                        .withData("reason", "placeChanged")
                        .withData("path", path.display());
            }
            ended = true;
            FileReplacement.Stored stored = held.ask(helper -> helper.commit(held.answer(), user.memory()));
            held.restoreLinks();
            return stored;
        }

        @Override
        public void close() throws InterruptedException {
            try (held) {
                if (!ended) {
                    abort();
                }
            } finally {
                workers.release(() -> {
                    // Finds nothing after a commit, or if the helper could remove it itself.
                    leftover.ifPresent(name -> name.remove(file));
                    file.close();
                });
            }
        }

        private void abort() throws InterruptedException {
            try {
                boolean _ = held.ask(helper -> helper.abort(held.answer(), user.memory()));
            } catch (RpcException e) {
                // The helper has ended with everything that it held.
            }
        }
    }
}
