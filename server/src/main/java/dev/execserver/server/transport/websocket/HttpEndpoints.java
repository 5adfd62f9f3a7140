package dev.execserver.server.transport.websocket;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Every HTTP request that did not become a WebSocket: health checks and refusals. Needs no authentication, shows nothing.
 *
 * <p>Threads: connection threads. No state, no locks.
 */
final class HttpEndpoints implements Handler {
    private static final Set<String> LIVENESS = Set.of("/healthz", "/livez");

    private final Doorman doorman;
    private final boolean refuseOrigin;
    private final BooleanSupplier ready;

    HttpEndpoints(Doorman doorman, boolean refuseOrigin, BooleanSupplier ready) {
        this.doorman = doorman;
        this.refuseOrigin = refuseOrigin;
        this.ready = ready;
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        doorman.requestFrom(request.remotePeer().address());
        String path = request.path().rawPath();
        if (refuseOrigin && request.headers().contains(HeaderNames.ORIGIN)) {
            response.status(Status.FORBIDDEN_403).send();
        } else if (path.equals("/readyz")) {
            probe(request, response, ready.getAsBoolean());
        } else if (LIVENESS.contains(path)) {
            probe(request, response, true);
        } else if (path.equals("/") && request.prologue().method() == Method.GET) {
            response.status(Status.BAD_REQUEST_400)
                    .header(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                    .send("Connection header did not include 'upgrade'");
        } else {
            response.status(Status.NOT_FOUND_404).send();
        }
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
