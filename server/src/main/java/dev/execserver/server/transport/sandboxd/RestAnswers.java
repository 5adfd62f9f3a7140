package dev.execserver.server.transport.sandboxd;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.transport.files.EarlyClose;
import dev.execserver.server.transport.files.FileRefusal;
import dev.execserver.server.transport.files.TransferTimeouts;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.Map;

/** Bodies of the answers of {@link RestEndpoint}. Stateless. */
final class RestAnswers {

    /** Words for a status in the member {@code code} of an error. */
    private static final Map<Integer, String> WORDS = Map.of(
            400, "INVALID_ARGUMENT",
            401, "UNAUTHENTICATED",
            403, "PERMISSION_DENIED",
            404, "NOT_FOUND",
            405, "INVALID_ARGUMENT",
            409, "CONFLICT",
            412, "FAILED_PRECONDITION",
            503, "UNAVAILABLE",
            507, "RESOURCE_EXHAUSTED");

    private RestAnswers() {}

    static JsonWritable health(long seconds) {
        return g -> {
            g.writeStartObject();
            g.writeStringField("status", "ok");
            g.writeNumberField("uptime_seconds", seconds);
            g.writeEndObject();
        };
    }

    static JsonWritable metadata(Map<String, String> variables) {
        return g -> {
            g.writeStartObject();
            g.writeObjectFieldStart("env");
            writeAll(g, variables);
            g.writeEndObject();
            g.writeEndObject();
        };
    }

    private static void writeAll(JsonGenerator g, Map<String, String> variables) throws IOException {
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            g.writeStringField(variable.getKey(), variable.getValue());
        }
    }

    static JsonWritable error(String code, String message) {
        return g -> {
            g.writeStartObject();
            g.writeStringField("code", code);
            g.writeStringField("message", message);
            g.writeEndObject();
        };
    }

    static FileRefusal unknownMethod(Method method) {
        return new FileRefusal(
                Status.METHOD_NOT_ALLOWED_405, RpcException.invalidRequest("this path does not know " + method.text()));
    }

    static void json(ServerResponse response, Status status, JsonWritable body) {
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.value(out, body);
        response.status(status);
        response.header(HeaderNames.CONTENT_TYPE, "application/json");
        response.send(out.toByteArray());
    }

    /** Answers with an error. The connection ends if the request was not read to its end. */
    static void refuse(ServerRequest request, ServerResponse response, TransferTimeouts patience, FileRefusal refusal) {
        patience.progress();
        boolean unread = request.content().hasEntity() && !request.content().consumed();
        if (unread) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        String code = WORDS.getOrDefault(refusal.status().code(), "INTERNAL");
        json(response, refusal.status(), error(code, refusal.getMessage()));
        if (unread) {
            EarlyClose.leave(request, patience);
        }
    }
}
