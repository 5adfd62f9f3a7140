package dev.execserver.server.transport.websocket;

import dev.execserver.server.transport.console.ConsoleEndpoint;
import dev.execserver.server.transport.exec.ExecEndpoint;
import dev.execserver.server.transport.files.EarlyClose;
import dev.execserver.server.transport.files.FileEndpoint;
import dev.execserver.server.transport.files.RawConnection;
import dev.execserver.server.transport.files.TransferTimeouts;
import dev.execserver.server.transport.management.PageEndpoint;
import dev.execserver.server.transport.mcp.McpEndpoint;
import dev.execserver.server.transport.sandboxd.RuntimeInterface;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpException;
import io.helidon.http.Method;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers every HTTP request that does not become a WebSocket: files, commands, MCP, health checks, the schema and refusals. Except for
 * the first three it needs no authentication and reveals nothing.
 *
 * <p>Threads: connection threads. No state, no locks.
 */
final class HttpEndpoints implements Handler {
    private static final String READINESS = "/readyz";
    private static final Set<String> LIVENESS = Set.of("/healthz", "/livez");

    /** Path that no endpoint has. */
    private static final String NOWHERE = "";

    /** Answer to people who look with a browser or curl. Its first line is that of the reference server, and no version stands in it. */
    private static final String GREETING = """
            Connection header did not include 'upgrade'

            This is exec-server. It runs programs for clients that connect to this address by WebSocket:
                exec-server run --url ws://HOST:PORT -- COMMAND
            Its documentation is in /usr/share/doc/exec-server or the folder docs of its sources; `exec-server --help` begins it.
            """;

    /** Limit of a request body. Only requests with an endpoint of their own have a reason to send more. */
    private static final int MAX_BODY_BYTES = 64 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoints.class);

    private final PendingConnections doorman;
    private final boolean refuseOrigin;
    private final Optional<FileEndpoint> files;
    private final Optional<McpEndpoint> mcp;
    private final Optional<PageEndpoint> pages;
    private final Optional<ExecEndpoint> commands;
    private final Optional<ConsoleEndpoint> console;
    private final Optional<RuntimeInterface> runtime;
    private final BooleanSupplier ready;
    private final RefusalLog refusals;
    private final WebSocketOptions.Place place;

    HttpEndpoints(PendingConnections doorman, WebSocketOptions options, RefusalLog refusals) {
        this.refusals = refusals;
        this.doorman = doorman;
        this.refuseOrigin = options.access().refuseOrigin();
        this.files = options.http().files();
        this.mcp = options.http().mcp();
        this.commands = options.http().commands();
        this.console = options.http().console();
        this.runtime = options.http().runtime();
        this.ready = options.http().ready();
        this.pages = options.http().pages();
        this.place = options.http().place();
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        RawConnection connection = RawConnection.current();
        connection.requestTaken();
        try {
            answer(request, response);
        } catch (HttpException | RequestException | CloseConnectionException | UncheckedIOException e) {
            throw e; // a refusal, or a peer that has gone
        } catch (RuntimeException e) {
            LOG.error(
                    "{} {} failed", request.prologue().method(), request.path().rawPath(), e);
            throw e;
        }
        // Helidon announces the close in the answer, but then waits for the peer to close.
        if (connection.old() || request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
            throw new CloseConnectionException("the peer has asked for it, or knows nothing else");
        }
    }

    private void answer(ServerRequest request, ServerResponse response) {
        doorman.requestFrom(request.remotePeer().address());
        if (RawConnection.current().old()) {
            response.header(HeaderValues.CONNECTION_CLOSE); // whatever the peer asks for, see handle
        }
        SocketAddress peer = request.remotePeer().address();
        RawConnection.current().clientIs(place.forwarding().client(peer, SocketHelpers.text(peer), request.headers()));
        TransferTimeouts patience = patience(peer);
        String path = place.base().below(request.path().rawPath()).orElseGet(() -> outside(request));
        try {
            check(request, path);
        } catch (RequestException refusal) {
            // Helidon would also answer, but would keep the connection open.
            patience.refused(refusal.status(), refusal.getMessage());
            response.status(refusal.status())
                    .header(HeaderValues.CONNECTION_CLOSE)
                    .header(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                    .send(refusal.getMessage());
            throw new CloseConnectionException(refusal.getMessage(), refusal);
        }
        if (path.equals(FileEndpoint.PATH) && files.isPresent()) {
            files.get().handle(request, response, patience);
            return;
        }
        if (path.equals(McpEndpoint.PATH) && mcp.isPresent()) {
            mcp.get().handle(request, response, patience);
            return;
        }
        if (path.equals(ExecEndpoint.PATH) && commands.isPresent()) {
            commands.get().handle(request, response, patience);
            return;
        }
        if (console.isPresent() && ConsoleEndpoint.has(path)) {
            console.get().handle(path, request, response, patience);
            return;
        }
        if (runtime.isPresent() && runtime.get().rest().has(path)) {
            runtime.get().rest().handle(path, request, response, patience);
            return;
        }
        if (largeBody(request)) {
            response.status(Status.REQUEST_ENTITY_TOO_LARGE_413)
                    .header(HeaderValues.CONNECTION_CLOSE)
                    .send();
            EarlyClose.leave(request, patience);
        }
        if (refuseOrigin && request.headers().contains(HeaderNames.ORIGIN)) {
            response.status(Status.FORBIDDEN_403).send();
            patience.refused(Status.FORBIDDEN_403, HttpRefusal.ORIGIN);
        } else if (path.equals(READINESS)) {
            probe(request, response, ready.getAsBoolean());
        } else if (LIVENESS.contains(path)) {
            probe(request, response, true);
        } else if (pages.isPresent() && pages.get().handle(path, request, response, patience)) {
            LOG.debug("{} was asked for", path);
        } else if (SchemaEndpoint.has(path)) {
            SchemaEndpoint.answer(path, request, response);
        } else if (path.equals("/") && request.prologue().method() == Method.GET) {
            response.status(Status.BAD_REQUEST_400)
                    .header(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                    .send(GREETING);
        } else {
            response.status(Status.NOT_FOUND_404).send();
        }
    }

    /** Outside of the base path there are health checks, whose callers need not know it, and nothing else. */
    private static String outside(ServerRequest request) {
        String path = request.path().rawPath();
        return path.equals(READINESS) || LIVENESS.contains(path) ? path : NOWHERE;
    }

    private static void check(ServerRequest request, String path) {
        HostHeader.check(request.headers());
        if (RawConnection.current().old() && !path.equals(READINESS) && !LIVENESS.contains(path)) {
            throw HttpRefusal.of(
                    Status.HTTP_VERSION_NOT_SUPPORTED_505, "HTTP/1.0 is answered for health checks only; use HTTP/1.1");
        }
    }

    TransferTimeouts patience(SocketAddress peer) {
        return new TransferTimeouts() {
            @Override
            public void progress() {
                doorman.progress(peer);
            }

            @Override
            public void allow(Duration time) {
                doorman.allow(peer, time);
            }

            @Override
            public void refusedSoon(Duration wait) {
                doorman.refusedSoon(peer, wait);
            }

            @Override
            public void farewell(Duration time) {
                doorman.farewell(peer, time);
            }

            @Override
            public void refused(Status status, String why) {
                RawConnection connection = RawConnection.current();
                refusals.refused(SocketHelpers.client(connection), connection.requestLine(), status, why);
            }
        };
    }

    private static boolean largeBody(ServerRequest request) {
        boolean chunked = request.headers().contains(HeaderNames.TRANSFER_ENCODING);
        long length = request.headers().contentLength().orElse(0);
        return chunked || length > MAX_BODY_BYTES;
    }

    private static void probe(ServerRequest request, ServerResponse response, boolean good) {
        Method method = request.prologue().method();
        if (method != Method.GET && method != Method.HEAD) {
            response.header(HeaderValues.create(HeaderNames.ALLOW, "GET,HEAD"));
            response.status(Status.METHOD_NOT_ALLOWED_405).send();
        } else {
            response.status(good ? Status.OK_200 : Status.SERVICE_UNAVAILABLE_503)
                    .send();
        }
    }
}
