package dev.execserver.server.transport.files;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.concurrent.FileClient;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.rights.Caller;
import dev.execserver.server.rights.Rights;
import dev.execserver.server.transport.auth.Admitted;
import dev.execserver.server.transport.auth.Authenticator;
import dev.execserver.server.transport.auth.HostNames;
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

/**
 * Answers requests for {@value #PATH}. Immutable except for the count of transfers. File workers count all transfers
 * together as one client.
 *
 * <p>Every refusal is JSON in the form of the protocol's errors, {@code {"error":{"code","message","data"}}}, and names
 * the file or the header that caused it.
 */
public final class FileEndpoint {

    public static final String PATH = "/files";

    /** Header of a request that runs in a sandbox; also the name of that feature. */
    public static final String SANDBOX_HEADER = "Exec-Server-Sandbox";

    /** Limit of concurrent transfers; each holds two buffers of {@link #BUFFER_BYTES}. */
    static final int MAX_TRANSFERS = 64;

    /**
     * Bytes that a file worker moves in one step, while the other buffer is on the wire. They are many enough that the
     * hand-over costs little in comparison.
     */
    static final int BUFFER_BYTES = 256 * 1024;

    /** Time that opening a file may take while the peer waits. Building a sandbox needs some time. */
    private static final Duration START_TIME = Duration.ofMinutes(2);

    private final FileWorkers workers;
    private final RequestGuard guard;
    private final FileAccess access;
    private final AccessLog accessLog;
    private final Semaphore places = new Semaphore(MAX_TRANSFERS);
    private final FileClient fileCalls = new FileClient();

    /**
     * Makes the endpoint of one listener.
     *
     * @param hosts names that a Host header may have
     */
    public FileEndpoint(
            FileWorkers workers, Authenticator authenticator, HostNames hosts, FileAccess access, AccessLog accessLog) {
        this.accessLog = accessLog;
        this.workers = workers;
        this.access = access;
        FileGuard own = new FileGuard(authenticator, hosts, "files are served");
        this.guard = (request, patience) -> new Admitted(own.check(request, patience));
    }

    /** @param patience keeps the connection open while the transfer makes progress */
    public void handle(ServerRequest request, ServerResponse response, TransferTimeouts patience) {
        handle(request, response, patience, guard);
    }

    /** Does the same for requests that another guard admits. */
    public void handle(
            ServerRequest request, ServerResponse response, TransferTimeouts patience, RequestGuard admitting) {
        FileClient.onBehalfOf(fileCalls, () -> answer(request, response, patience, admitting));
    }

    private void answer(
            ServerRequest request, ServerResponse response, TransferTimeouts patience, RequestGuard admitting) {
        Optional<TransferEvent> event = Optional.empty();
        try {
            Admitted admitted = admit(request, patience, admitting);
            event = TransferEvent.begin(accessLog, request, admitted.subject());
            Rights rights = admitted.rights();
            Method method = request.prologue().method();
            rights.require(method == Method.PUT ? Rights.WRITE_FILES : Rights.READ_FILES);
            Caller.run(rights, () -> serve(request, response, patience, admitted.subject()));
        } catch (FileRefusal refusal) {
            patience.progress();
            refusal.answer(request, response, patience);
        } catch (RpcException e) {
            patience.progress();
            FileRefusal.of(e).answer(request, response, patience);
        } finally {
            event.ifPresent(begun -> begun.ended(response));
        }
    }

    private static Admitted admit(ServerRequest request, TransferTimeouts patience, RequestGuard admitting) {
        try {
            return admitting.check(request, patience);
        } catch (FileRefusal refusal) {
            patience.refused(refusal.status(), refusal.getMessage());
            throw refusal;
        }
    }

    private void serve(
            ServerRequest request, ServerResponse response, TransferTimeouts patience, Optional<Subject> subject) {
        PathUri path = FileQuery.path(request.query().rawValue());
        Method method = request.prologue().method();
        boolean download = method == Method.GET || method == Method.HEAD;
        if (!download && method != Method.PUT) {
            response.header(HeaderValues.create(HeaderNames.ALLOW, "GET,HEAD,PUT"));
            throw new FileRefusal(
                    Status.METHOD_NOT_ALLOWED_405,
                    RpcException.invalidRequest("/files knows GET, HEAD and PUT, not " + method.text()));
        }
        SandboxHeaders sandbox = SandboxHeaders.of(request.headers());
        if (!places.tryAcquire()) {
            throw new FileRefusal(
                    Status.SERVICE_UNAVAILABLE_503,
                    RpcException.internal("at most " + MAX_TRANSFERS + " transfers run at once; try again later")
                            .withData("reason", "tooManyTransfers"));
        }
        try (FileAccess.Scope files = access.begin(sandbox.session(), subject, sandbox.sandbox())) {
            patience.allow(START_TIME);
            if (download) {
                new Download(workers, request, response, patience).run(files, path);
            } else {
                new PutAnswer(workers, request, response, patience).run(files, path);
            }
        } catch (InterruptedException e) {
            throw new CloseConnectionException("the server is shutting down", e);
        } finally {
            places.release();
        }
    }
}
