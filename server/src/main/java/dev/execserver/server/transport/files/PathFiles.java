package dev.execserver.server.transport.files;

import dev.execserver.protocol.fs.CreateDirectoryParams;
import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.fs.MetadataResult;
import dev.execserver.protocol.fs.RemoveParams;
import dev.execserver.protocol.fs.SetModeParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.concurrent.FileClient;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.rights.Caller;
import dev.execserver.server.rights.Rights;
import dev.execserver.server.transport.auth.Subject;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Reads, replaces, lists and removes files whose path below one directory stands in the path of a request. Every request runs in the same
 * sandbox as commands do; so it is the profile, not the directory, that says what can be reached through links. Immutable except for the
 * count of requests.
 */
public final class PathFiles {

    /** Time that a step may take while the peer waits. Building a sandbox needs some time. */
    private static final Duration STEP_TIME = Duration.ofMinutes(2);

    private final FileWorkers workers;
    private final FileAccess access;
    private final AccessLog accessLog;
    private final PathUri root;
    private final Supplier<Optional<JsonSlice>> sandbox;
    private final Semaphore places = new Semaphore(FileEndpoint.MAX_TRANSFERS);
    private final FileClient fileCalls = new FileClient();

    /**
     * Makes the files of one server.
     *
     * @param root directory in which the paths begin
     * @param sandbox tells the sandbox of commands that name none
     */
    public PathFiles(
            FileWorkers workers,
            FileAccess access,
            AccessLog accessLog,
            PathUri root,
            Supplier<Optional<JsonSlice>> sandbox) {
        this.workers = workers;
        this.access = access;
        this.accessLog = accessLog;
        this.root = root;
        this.sandbox = sandbox;
    }

    /** A request that was admitted, with the steps that it may take. */
    private record Admitted(
            FileAccess.Scope files, ServerRequest request, ServerResponse response, TransferTimeouts patience) {
        JsonSlice run(dev.execserver.protocol.fs.FileRequest step) throws InterruptedException {
            patience.allow(STEP_TIME);
            JsonWritable result = files.run(step);
            patience.progress();
            return DirectoryListing.slice(result);
        }
    }

    /**
     * Answers a request.
     *
     * @param rawPath with percent signs
     * @throws FileRefusal for one that is refused; nothing was answered then
     */
    public void handle(
            String rawPath,
            ServerRequest request,
            ServerResponse response,
            TransferTimeouts patience,
            Optional<Subject> subject) {
        FileClient.onBehalfOf(fileCalls, () -> answer(rawPath, request, response, patience, subject));
    }

    private void answer(
            String rawPath,
            ServerRequest request,
            ServerResponse response,
            TransferTimeouts patience,
            Optional<Subject> subject) {
        String below = PathBelow.of(rawPath);
        PathUri path = PathBelow.join(root, below);
        Optional<TransferEvent> event = TransferEvent.begin(accessLog, request, subject, Optional.of(path.display()));
        try {
            Rights rights = Subject.rights(subject);
            boolean reads = reads(request.prologue().method());
            rights.require(reads ? Rights.READ_FILES : Rights.WRITE_FILES);
            if (!places.tryAcquire()) {
                throw new FileRefusal(
                        Status.SERVICE_UNAVAILABLE_503,
                        RpcException.internal("at most " + FileEndpoint.MAX_TRANSFERS
                                + " requests for files run at once; try again later"));
            }
            try {
                Caller.run(rights, () -> serve(below, path, request, response, patience, subject));
            } finally {
                places.release();
            }
        } catch (RpcException e) {
            response.status(FileRefusal.of(e).status());
            throw FileRefusal.of(e);
        } catch (FileRefusal refusal) {
            response.status(refusal.status());
            throw refusal;
        } finally {
            event.ifPresent(begun -> begun.ended(response));
        }
    }

    private static boolean reads(Method method) {
        return method == Method.GET || method == Method.HEAD;
    }

    private void serve(
            String below,
            PathUri path,
            ServerRequest request,
            ServerResponse response,
            TransferTimeouts patience,
            Optional<Subject> subject) {
        Method method = request.prologue().method();
        try (FileAccess.Scope files = access.begin(Optional.empty(), subject, sandbox.get())) {
            Admitted admitted = new Admitted(files, request, response, patience);
            if (reads(method)) {
                get(admitted, below, path);
            } else if (method == Method.PUT) {
                put(admitted, below, path);
            } else if (method == Method.DELETE) {
                delete(admitted, below, path);
            } else {
                response.header(HeaderValues.create(HeaderNames.ALLOW, "DELETE,GET,HEAD,PUT"));
                throw new FileRefusal(
                        Status.METHOD_NOT_ALLOWED_405,
                        RpcException.invalidRequest("files know GET, HEAD, PUT and DELETE, not " + method.text()));
            }
        } catch (InterruptedException e) {
            throw new CloseConnectionException("the server is shutting down", e);
        }
    }

    private void get(Admitted admitted, String below, PathUri path) throws InterruptedException {
        if (facts(admitted, path).isDirectory()) {
            new DirectoryListing(admitted::run, path).send(below, admitted.response());
        } else {
            new Download(workers, admitted.request(), admitted.response(), admitted.patience())
                    .run(admitted.files(), path);
        }
    }

    private static MetadataResult facts(Admitted admitted, PathUri path) throws InterruptedException {
        return MetadataResult.read(
                admitted.run(new MetadataParams(path, true, Optional.empty(), false)), DirectoryListing.DIALECT);
    }

    private void put(Admitted admitted, String below, PathUri path) throws InterruptedException {
        int mode = PathBelow.mode(admitted.request().query().rawValue());
        if (admitted.request()
                .headers()
                .contentType()
                .map(type -> type.text().startsWith("multipart/"))
                .orElse(false)) {
            throw FileRefusal.badRequest("send the file as the body itself, not as a part of a form");
        }
        if (below.isEmpty() || isDirectory(admitted, path)) {
            throw FileRefusal.badRequest("`" + path.display() + "` is a directory");
        }
        int slash = below.lastIndexOf('/');
        if (slash > 0) {
            JsonSlice _ = admitted.run(new CreateDirectoryParams(
                    PathBelow.join(root, below.substring(0, slash)), true, true, Optional.empty()));
        }
        new PutAnswer(workers, admitted.request(), admitted.response(), admitted.patience())
                .run(admitted.files(), path, () -> {
                    JsonSlice _ = admitted.run(new SetModeParams(path, mode, true, Optional.empty()));
                });
    }

    private static boolean isDirectory(Admitted admitted, PathUri path) throws InterruptedException {
        try {
            return facts(admitted, path).isDirectory();
        } catch (RpcException missing) {
            if (missing.data()
                    .filter(data ->
                            Long.valueOf(Errno.ENOENT).equals(data.members().get("errno")))
                    .isPresent()) {
                return false;
            }
            throw missing;
        }
    }

    private void delete(Admitted admitted, String below, PathUri path) throws InterruptedException {
        if (below.isEmpty()) {
            throw new FileRefusal(
                    Status.CONFLICT_409, RpcException.invalidRequest("the directory in which paths begin stays"));
        }
        boolean recursive = PathBelow.recursive(admitted.request().query().rawValue());
        JsonSlice _ = admitted.run(new RemoveParams(path, recursive, false, true, Optional.empty()));
        admitted.response().status(Status.NO_CONTENT_204).send();
    }
}
