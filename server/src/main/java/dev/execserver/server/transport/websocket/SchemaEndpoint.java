package dev.execserver.server.transport.websocket;

import dev.execserver.server.schema.SchemaDialect;
import dev.execserver.server.schema.SchemaDocuments;
import dev.execserver.server.schema.SchemaFormat;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Map;
import java.util.Optional;

/**
 * Answers requests for the description of the protocol. It is the same for everybody and says nothing about this server, so
 * it needs no authentication. Stateless.
 */
final class SchemaEndpoint {

    private static final Map<String, SchemaFormat> FORMATS =
            Map.of("/schema.json", SchemaFormat.JSONSCHEMA, "/openrpc.json", SchemaFormat.OPENRPC);

    private static final Map<String, SchemaDialect> DIALECTS =
            Map.of("exec", SchemaDialect.EXEC, "app", SchemaDialect.APP);

    private SchemaEndpoint() {}

    static boolean has(String path) {
        return FORMATS.containsKey(path);
    }

    /** Answers for a path that {@link #has} is true for. */
    static void answer(String path, ServerRequest request, ServerResponse response) {
        Method method = request.prologue().method();
        Optional<SchemaDialect> dialect = Optional.ofNullable(
                DIALECTS.get(request.query().first("dialect").orElse("exec")));
        if (method != Method.GET && method != Method.HEAD) {
            response.header(HeaderValues.create(HeaderNames.ALLOW, "GET,HEAD"));
            response.status(Status.METHOD_NOT_ALLOWED_405).send();
        } else if (dialect.isEmpty()) {
            response.status(Status.BAD_REQUEST_400)
                    .header(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                    .send("the dialect is exec or app\n");
        } else {
            response.header(HeaderNames.CONTENT_TYPE, "application/json")
                    .send(SchemaDocuments.read(dialect.get(), FORMATS.get(path)));
        }
    }
}
