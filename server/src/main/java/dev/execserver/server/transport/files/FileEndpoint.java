package dev.execserver.server.transport.files;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileClient;
import dev.execserver.server.concurrent.FileWorkers;
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
 * Answers requests for {@value #PATH}. Immutable but for the count of transfers. On file workers all of them together count
 * as one client.
 *
 * <p>Every refusal is JSON in the form of the protocol's errors, {@code {"error":{"code","message","data"}}}, and names the
 * file or the header that it is about.
 */
public final class FileEndpoint {

    public static final String PATH = "/files";

    /** The header of a request that is to be carried out in a sandbox, also the name of that feature. */
    public static final String SANDBOX_HEADER = "Exec-Server-Sandbox";

    /** Transfers at once; each holds two buffers of {@link #BUFFER_BYTES}. */
    static final int MAX_TRANSFERS = 64;

    /**
     * Moved in one step on a file worker, while the other buffer is on the wire: large enough that the hand-over does not
     * count.
     */
    static final int BUFFER_BYTES = 256 * 1024;

    /** How long a file may take to open while the peer waits; in a sandbox that has to be built it is some time. */
    private static final Duration START_TIME = Duration.ofMinutes(2);

    private final FileWorkers workers;
    private final FileGuard guard;
    private final FileAccess access;
    private final Semaphore places = new Semaphore(MAX_TRANSFERS);
    private final FileClient fileCalls = new FileClient();

    /**
     * For one listener.
     *
     * @param hosts names that a Host header may have
     */
    public FileEndpoint(FileWorkers workers, Authenticator authenticator, HostNames hosts, FileAccess access) {
        this.workers = workers;
        this.access = access;
        this.guard = new FileGuard(authenticator, hosts);
    }

    /** @param patience keeps the connection from being dropped as long as the transfer goes on */
    public void handle(ServerRequest request, ServerResponse response, Patience patience) {
        FileClient.onBehalfOf(fileCalls, () -> answer(request, response, patience));
    }

    private void answer(ServerRequest request, ServerResponse response, Patience patience) {
        try {
            serve(request, response, patience, admit(request, patience));
        } catch (FileRefusal refusal) {
            patience.progress();
            refusal.answer(request, response, patience);
        } catch (RpcException e) {
            patience.progress();
            FileRefusal.of(e).answer(request, response, patience);
        }
    }

    private Optional<Subject> admit(ServerRequest request, Patience patience) {
        try {
            return guard.check(request);
        } catch (FileRefusal refusal) {
            patience.refused(refusal.status(), refusal.getMessage());
            throw refusal;
        }
    }

    private void serve(ServerRequest request, ServerResponse response, Patience patience, Optional<Subject> subject) {
        if (request.prologue().fragment().hasValue()) {
            // Without it the path would be that of another file.
            throw FileRefusal.badRequest("a `#` in the path must be sent as %23");
        }
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
                new Upload(workers, request, response, patience).run(files, path);
            }
        } catch (InterruptedException e) {
            throw new CloseConnectionException("the server is shutting down", e);
        } finally {
            places.release();
        }
    }
}
