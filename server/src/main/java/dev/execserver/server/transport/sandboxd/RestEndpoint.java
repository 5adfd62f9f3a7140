package dev.execserver.server.transport.sandboxd;

import dev.execserver.server.transport.auth.Subject;
import dev.execserver.server.transport.files.FileGuard;
import dev.execserver.server.transport.files.FileRefusal;
import dev.execserver.server.transport.files.PathFiles;
import dev.execserver.server.transport.files.TransferTimeouts;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Answers {@code /v1/health}, {@code /v1/metadata} and {@code /v1/files/PATH}. Any thread. No state. */
public final class RestEndpoint {
    private static final String HEALTH = "/v1/health";
    private static final String METADATA = "/v1/metadata";
    private static final String FILES = "/v1/files";

    private final FileGuard guard;
    private final BooleanSupplier ready;
    private final Map<String, String> metadata;
    private final PathFiles files;
    private final Instant started = Instant.now();

    /** @param environment variables of the server, of which some are shown */
    public RestEndpoint(FileGuard guard, BooleanSupplier ready, Map<String, String> environment, PathFiles files) {
        this.guard = guard;
        this.ready = ready;
        this.files = files;
        this.metadata = new TreeMap<>(environment);
        metadata.keySet().removeIf(name -> !MetadataNames.shown(name));
    }

    /** Returns true if the path belongs to this interface. */
    public boolean has(String path) {
        return path.equals(HEALTH) || path.equals(METADATA) || path.equals(FILES) || path.startsWith(FILES + "/");
    }

    /** @param path raw path for which {@link #has} is true */
    public void handle(String path, ServerRequest request, ServerResponse response, TransferTimeouts patience) {
        try {
            if (path.equals(HEALTH)) {
                requireGet(request, response);
                health(response);
                return;
            }
            Optional<Subject> subject = admit(request, patience);
            if (path.equals(METADATA)) {
                requireGet(request, response);
                RestAnswers.json(response, Status.OK_200, RestAnswers.metadata(metadata));
            } else {
                files.handle(path.substring(FILES.length()), request, response, patience, subject);
            }
        } catch (FileRefusal refusal) {
            RestAnswers.refuse(request, response, patience, refusal);
        }
    }

    private Optional<Subject> admit(ServerRequest request, TransferTimeouts patience) {
        try {
            return guard.check(request, patience);
        } catch (FileRefusal refusal) {
            patience.refused(refusal.status(), refusal.getMessage());
            throw refusal;
        }
    }

    /** Needs no credential: probes have none, and learn no more than at {@code /readyz}. */
    private void health(ServerResponse response) {
        if (ready.getAsBoolean()) {
            long seconds = Duration.between(started, Instant.now()).toSeconds();
            RestAnswers.json(response, Status.OK_200, RestAnswers.health(seconds));
        } else {
            RestAnswers.json(
                    response,
                    Status.SERVICE_UNAVAILABLE_503,
                    RestAnswers.error("UNAVAILABLE", "the server takes no new sessions"));
        }
    }

    private static void requireGet(ServerRequest request, ServerResponse response) {
        Method method = request.prologue().method();
        if (method != Method.GET && method != Method.HEAD) {
            response.header(HeaderValues.create(HeaderNames.ALLOW, "GET,HEAD"));
            throw RestAnswers.unknownMethod(method);
        }
    }
}
