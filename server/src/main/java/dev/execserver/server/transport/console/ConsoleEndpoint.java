package dev.execserver.server.transport.console;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.transport.auth.Admission;
import dev.execserver.server.transport.auth.Admitted;
import dev.execserver.server.transport.files.EarlyClose;
import dev.execserver.server.transport.files.FileEndpoint;
import dev.execserver.server.transport.files.FileRefusal;
import dev.execserver.server.transport.files.TransferTimeouts;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Answers requests for {@value #PATH} and what is below it: the page and its files for everybody, the log-in, and {@code /files} for
 * people who are logged in. Immutable but for the log-ins.
 */
public final class ConsoleEndpoint {
    public static final String PATH = "/console";

    private static final String LOGIN = PATH + "/login";
    private static final String LOGOUT = PATH + "/logout";
    private static final String FILES = PATH + "/files";
    /** Bytes of the longest token (docs/logins.md) and some space around it. */
    private static final int MAX_TOKEN_BYTES = 17 * 1024;

    private final ConsoleAccess access;
    private final FileEndpoint files;
    private final ConsoleFiles page = ConsoleFiles.OF_PACKAGE;

    public ConsoleEndpoint(ConsoleAccess access, FileEndpoint files) {
        this.access = access;
        this.files = files;
    }

    public static boolean has(String path) {
        return path.equals(PATH) || path.startsWith(PATH + "/");
    }

    public ConsoleAccess access() {
        return access;
    }

    /** @param path of the request, for which {@link #has} is true */
    public void handle(String path, ServerRequest request, ServerResponse response, TransferTimeouts patience) {
        switch (path) {
            case FILES -> files.handle(request, response, patience, this::admit);
            case LOGIN -> post(request, response, patience, () -> login(request, response, patience));
            case LOGOUT -> post(request, response, patience, () -> logout(request, response));
            default -> page(path, request, response, patience);
        }
    }

    private Admitted admit(ServerRequest request, TransferTimeouts patience) {
        access.origins().refusalIfAny(request.headers()).ifPresent(why -> {
            throw new FileRefusal(Status.FORBIDDEN_403, RpcException.invalidRequest(why));
        });
        return switch (access.check(
                request.remotePeer(),
                request.headers(),
                ConsoleAccess.bearer(request.headers()),
                patience::refusedSoon)) {
            case Admission.Granted(var subject) -> access.admitted(subject);
            case Admission.Refused(String why) ->
                throw new FileRefusal(Status.UNAUTHORIZED_401, RpcException.invalidRequest(why));
        };
    }

    private void post(ServerRequest request, ServerResponse response, TransferTimeouts patience, Runnable answer) {
        response.header(HeaderValues.create(HeaderNames.CACHE_CONTROL, "no-store"));
        if (request.prologue().method() != Method.POST) {
            response.header(HeaderValues.create(HeaderNames.ALLOW, "POST"));
            refuse(request, response, patience, Status.METHOD_NOT_ALLOWED_405, "it is for POST only");
            return;
        }
        Optional<String> strange = access.origins().refusal(request.headers());
        if (strange.isPresent()) {
            refuse(request, response, patience, Status.FORBIDDEN_403, strange.get());
            return;
        }
        answer.run();
    }

    private void login(ServerRequest request, ServerResponse response, TransferTimeouts patience) {
        Optional<String> token = body(request);
        if (token.isEmpty()) {
            refuse(request, response, patience, Status.REQUEST_ENTITY_TOO_LARGE_413, "the token is too long");
            return;
        }
        switch (access.login(
                request.remotePeer(), request.headers(), token.get().strip(), patience::refusedSoon)) {
            case ConsoleAccess.Attempt.Begun(String key) ->
                response.header(HeaderNames.CONTENT_TYPE, "application/json")
                        .send("{\"key\":\"%s\",\"write\":%s,\"seconds\":%d}\n"
                                .formatted(key, access.writing(), ConsoleLogins.LIFETIME.toSeconds()));
            case ConsoleAccess.Attempt.Refused(String why) ->
                refuse(request, response, patience, Status.UNAUTHORIZED_401, why);
        }
    }

    private void logout(ServerRequest request, ServerResponse response) {
        ConsoleAccess.bearer(request.headers()).ifPresent(access::logout);
        response.status(Status.NO_CONTENT_204).send();
    }

    private static Optional<String> body(ServerRequest request) {
        if (!request.content().hasEntity()) {
            return Optional.of("");
        }
        try (InputStream in = request.content().inputStream()) {
            byte[] bytes = in.readNBytes(MAX_TOKEN_BYTES + 1);
            return bytes.length > MAX_TOKEN_BYTES
                    ? Optional.empty()
                    : Optional.of(new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CloseConnectionException("the token did not come whole", e);
        }
    }

    private void page(String path, ServerRequest request, ServerResponse response, TransferTimeouts patience) {
        Method method = request.prologue().method();
        if (method != Method.GET && method != Method.HEAD) {
            response.header(HeaderValues.create(HeaderNames.ALLOW, "GET,HEAD"));
            refuse(request, response, patience, Status.METHOD_NOT_ALLOWED_405, "it is for GET only");
            return;
        }
        Optional<String> strange = access.origins().hostRefusal(request.headers());
        if (strange.isPresent()) {
            refuse(request, response, patience, Status.FORBIDDEN_403, strange.get());
            return;
        }
        page.answer(path, request, response);
    }

    /** Refuses a request, whose body may not have been read. */
    private static void refuse(
            ServerRequest request, ServerResponse response, TransferTimeouts patience, Status status, String why) {
        patience.refused(status, why);
        boolean unread = request.content().hasEntity() && !request.content().consumed();
        if (unread) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        response.status(status)
                .header(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                .send(why + "\n");
        if (unread) {
            EarlyClose.leave(request, patience);
        }
    }
}
