package dev.execserver.server.methods;

import dev.execserver.helper.fs.DisclosurePolicy;
import dev.execserver.helper.fs.RegularFile;
import dev.execserver.protocol.fs.CloseParams;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.fs.OpenResult;
import dev.execserver.protocol.fs.ReadBlockParams;
import dev.execserver.protocol.fs.WriteBlockParams;
import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.glob.Ripgrep;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.files.FileHandle;
import dev.execserver.server.files.FileHandles;
import dev.execserver.server.files.FileLines;
import dev.execserver.server.files.FileService;
import dev.execserver.server.files.InProcessFiles;
import dev.execserver.server.files.LockedWrite;
import dev.execserver.server.files.RequestOrder;
import dev.execserver.server.files.RipgrepSearch;
import dev.execserver.server.files.SandboxedFiles;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.rpc.Method.FileWork;
import dev.execserver.server.rpc.Method.Work;
import dev.execserver.server.rpc.MethodFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The {@code fs/*} methods. Handlers run on reader threads and only reserve handles and turns; file workers touch the
 * files. No state of its own: handles belong to connections.
 */
public final class FileMethods {

    /** Longest run of ripgrep. After that the search is done without it. */
    public static final Duration RIPGREP_LIMIT = Duration.ofSeconds(5);

    /** Descriptors of an open: the file and its directory. */
    private static final int FOR_OPEN = 2;

    /** Of an answer with a block: what is around it. */
    private static final int BLOCK_ENVELOPE_BYTES = 512;

    private final FileService here;
    private final SandboxedFiles sandboxed;
    private final FileWorkers workers;

    /** @param ripgrep the server's ripgrep, which makes searches faster */
    public FileMethods(SandboxedFiles sandboxed, FileWorkers workers, Supplier<Optional<Ripgrep>> ripgrep) {
        this.here = new InProcessFiles(() -> ripgrep.get().map(RipgrepSearch::new));
        this.sandboxed = sandboxed;
        this.workers = workers;
    }

    public List<Method<?>> methods() {
        List<Method<?>> rows = new ArrayList<>();
        FileRequest.METHODS.forEach(name -> rows.add(request(name)));
        FileRequest.ADDITIONS.forEach(name -> rows.add(request(name).asAdditive()));
        rows.addAll(openFiles());
        return rows;
    }

    private List<Method<?>> openFiles() {
        return List.of(
                Method.ordinary(
                                FsMethodNames.OPEN,
                                MethodFamily.FILE_SYSTEM,
                                FloorRule.FILES,
                                OpenParams::read,
                                this::open)
                        .opening(_ -> FOR_OPEN)
                        .audited(FileLines.OPENED),
                Method.ordinary(
                        FsMethodNames.READ_BLOCK,
                        MethodFamily.FILE_SYSTEM,
                        FloorRule.OWN,
                        ReadBlockParams::read,
                        this::readBlock),
                Method.ordinary(
                        FsMethodNames.WRITE_BLOCK,
                        MethodFamily.FILE_SYSTEM,
                        FloorRule.OWN,
                        WriteBlockParams::read,
                        this::writeBlock),
                Method.control(
                        FsMethodNames.CLOSE, MethodFamily.FILE_SYSTEM, FloorRule.OWN, CloseParams::read, this::close));
    }

    private Method<FileRequest> request(String name) {
        return Method.<FileRequest>ordinary(
                        name,
                        MethodFamily.FILE_SYSTEM,
                        FloorRule.FILES,
                        (params, dialect) -> FileRequest.read(name, params, dialect),
                        this::work)
                .audited(FileLines.changed());
    }

    private Work work(Call call, FileRequest request) {
        Optional<SandboxContext> context = context(call, request.sandbox());
        if (context.isEmpty()) {
            return here(request, DisclosurePolicy.FULL);
        }
        return new Method.Deciding(request.use().lengthy(), () -> {
            Optional<DisclosurePolicy> disclosure = sandboxed.mayRunHere(context.get(), request);
            if (disclosure.isEmpty()) {
                return () -> Answer.of(sandboxed.run(context.get(), request, call));
            }
            sandboxed.shown(context.get(), call.session());
            return here(request, disclosure.get());
        });
    }

    private Optional<SandboxContext> context(Call call, Optional<JsonSlice> sandbox) {
        return sandboxed.context(
                sandbox.map(value -> sandboxed.read(value, call.connection().dialect())));
    }

    private Work here(FileRequest request, DisclosurePolicy disclosure) {
        if (request instanceof WriteFileParams write && write.expect().isPresent()) {
            return () -> {
                LockedWrite.run(write, workers);
                return Answer.empty();
            };
        }
        return new FileWork() {
            @Override
            public boolean mayBeAtHand() {
                return here.mayBeCached(request);
            }

            @Override
            public Optional<Answer> runAtOnce() {
                return here.runCached(request, disclosure).map(Answer::of);
            }

            @Override
            public Answer run() {
                return Answer.of(here.run(request, disclosure));
            }

            @Override
            public boolean lengthy() {
                return request.use().lengthy();
            }
        };
    }

    private Work open(Call call, OpenParams params) {
        Optional<SandboxContext> context = context(call, params.sandbox());
        FileHandles handles = handles(call);
        FileHandle handle = handles.reserve(params.handleId());
        RequestOrder.Turn turn = handle.nextTurn();
        return () -> turn.run(() -> {
            try {
                handle.opened(file(call, context, params));
                return Answer.of(new OpenResult(params.handleId()));
            } catch (RuntimeException e) {
                handles.forget(handle);
                throw e;
            }
        });
    }

    private RegularFile file(Call call, Optional<SandboxContext> context, OpenParams params)
            throws InterruptedException {
        Optional<DisclosurePolicy> disclosure =
                context.isEmpty() ? Optional.of(DisclosurePolicy.FULL) : sandboxed.mayOpenHere(context.get(), params);
        return disclosure.isPresent()
                ? workers.callWhileWanted(() -> here.open(params, disclosure.get()))
                : sandboxed.open(context.get(), params, call);
    }

    private Work readBlock(Call call, ReadBlockParams params) {
        checkLength("read", params.len());
        FileHandle handle = handles(call).require(params.handleId());
        RequestOrder.Turn turn = handle.nextTurn();
        return () -> turn.run(() -> {
            int length = (int) params.len();
            call.memory().takeAhead(length + MessageBuffer.base64Length(length) + BLOCK_ENVELOPE_BYTES);
            call.memory().reserve(length);
            return Answer.of(workers.callWhileWanted(() -> handle.read(params)));
        });
    }

    private Work writeBlock(Call call, WriteBlockParams params) {
        int length = params.chunk().size();
        checkLength("write", length);
        if (params.offset() > Long.MAX_VALUE - length) {
            throw RpcException.invalidRequest("file write range exceeds the signed 64-bit file offset limit");
        }
        FileHandle handle = handles(call).require(params.handleId());
        RequestOrder.Turn turn = handle.nextTurn();
        return () -> turn.run(() -> workers.callWhileWanted(() -> {
            handle.write(params);
            return Answer.empty();
        }));
    }

    private static void checkLength(String what, long length) {
        if (length < 1 || length > FsLimits.BLOCK_BYTES) {
            throw RpcException.invalidRequest(
                    "file " + what + " block length must be between 1 and " + FsLimits.BLOCK_BYTES);
        }
    }

    private Work close(Call call, CloseParams params) {
        FileHandles handles = handles(call);
        Optional<FileHandle> taken = handles.take(params.handleId());
        if (taken.isEmpty()) {
            return Answer::empty;
        }
        RequestOrder.Turn turn = taken.get().nextTurn();
        return () -> {
            handles.close(taken.get(), turn);
            return Answer.empty();
        };
    }

    private FileHandles handles(Call call) {
        return call.connection().belonging(FileHandles.class, () -> new FileHandles(workers));
    }
}
