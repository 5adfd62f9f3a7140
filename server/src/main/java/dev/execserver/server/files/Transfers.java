package dev.execserver.server.files;

import dev.execserver.helper.fs.DisclosurePolicy;
import dev.execserver.helper.fs.FileCondition;
import dev.execserver.helper.fs.FileOperations;
import dev.execserver.helper.fs.FileSource;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.OpenMode;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.session.Session;
import dev.execserver.server.transport.auth.Subject;
import dev.execserver.server.transport.files.FileAccess;
import dev.execserver.server.transport.files.NewFile;
import dev.execserver.server.transport.files.WholeFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Access to whole files for HTTP requests, which have no connection of the protocol. Uses the requested sandbox or the
 * operator's, with the helpers of the named session or with one of its own. Any thread. No state.
 */
public final class Transfers implements FileAccess {

    private final SandboxedFiles sandboxed;
    private final FileWorkers workers;
    private final DescriptorBudget descriptors;
    private final Dialect dialect;
    private final Sessions sessions;
    private final MemoryBudget answers;

    /** Finds a session that has not ended, if it belongs to the subject. */
    @FunctionalInterface
    public interface Sessions {
        Optional<Session> find(String id, Optional<Subject> subject);
    }

    /** @param sessions finds sessions that have not ended */
    public Transfers(
            SandboxedFiles sandboxed,
            FileWorkers workers,
            DescriptorBudget descriptors,
            Dialect dialect,
            Sessions sessions,
            MemoryBudget answers) {
        this.sandboxed = sandboxed;
        this.workers = workers;
        this.descriptors = descriptors;
        this.dialect = dialect;
        this.sessions = sessions;
        this.answers = answers;
    }

    @Override
    public Scope begin(Optional<String> session, Optional<Subject> subject, Optional<JsonSlice> sandbox) {
        Optional<Session> named = session.map(id -> sessions.find(id, subject)
                .orElseThrow(() -> RpcException.notFound("there is no session " + id + " (any more)")
                        .withData("reason", "unknownSession")));
        Optional<SandboxContext> context = sandboxed.context(sandbox.map(value -> sandboxed.read(value, dialect)));
        return new RequestScope(context, named);
    }

    private final class RequestScope implements Scope {
        private final AnswerMemory memory = new AnswerMemory(answers);
        /** Descriptors of a transfer: the file and its directory. */
        private static final int FOR_TRANSFER = 2;

        private final List<Runnable> atEnd = new ArrayList<>();
        private final Optional<SandboxContext> context;
        private final HelperOwner user;

        RequestScope(Optional<SandboxContext> context, Optional<Session> session) {
            this.context = context;
            this.user = session.map(named -> HelperOwner.of(named, memory))
                    .orElseGet(() -> new HelperOwner(this, this::once, false, memory));
        }

        private void once(Runnable work) {
            if (atEnd.isEmpty()) {
                atEnd.add(work);
            }
        }

        @Override
        public FileSource read(PathUri path) throws InterruptedException {
            try (DescriptorBudget.Promise _ = promise()) {
                return files(path, OpenMode.READ).read(path);
            }
        }

        @Override
        public NewFile write(PathUri path, FileCondition condition) throws InterruptedException {
            try (DescriptorBudget.Promise _ = promise()) {
                return files(path, OpenMode.REPLACE).write(path, condition);
            }
        }

        @Override
        public JsonWritable run(FileRequest request) throws InterruptedException {
            try (DescriptorBudget.Promise _ = promise()) {
                Optional<DisclosurePolicy> disclosure = context.isEmpty()
                        ? Optional.of(DisclosurePolicy.FULL)
                        : sandboxed.mayRunHere(context.get(), request);
                return disclosure.isPresent()
                        ? workers.call(() -> FileOperations.run(request, disclosure.get()))
                        : sandboxed.run(context.orElseThrow(), request, user);
            }
        }

        private DescriptorBudget.Promise promise() {
            return descriptors.admit("transfer of a file", FOR_TRANSFER);
        }

        private WholeFiles files(PathUri path, OpenMode mode) {
            Optional<DisclosurePolicy> disclosure = context.isEmpty()
                    ? Optional.of(DisclosurePolicy.FULL)
                    : sandboxed.mayOpenHere(context.get(), params(path, mode));
            return disclosure.isPresent()
                    ? new LocalFiles(workers, disclosure.get())
                    : sandboxed.wholeFiles(context.orElseThrow(), user);
        }

        @Override
        public void close() {
            memory.release();
            atEnd.forEach(Runnable::run);
        }
    }

    /** Makes the params that decide about a file; no handle has this empty id. */
    static OpenParams params(PathUri path, OpenMode mode) {
        return new OpenParams("", path, mode, Optional.empty());
    }
}
