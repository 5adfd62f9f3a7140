package dev.execserver.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Call;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Transcript;
import dev.execserver.it.support.WireClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Plays the client's half of the recorded conversations about HTTP and configuration. The web server of the recording is
 * made again here. Not compared: the order of headers, which the JDK's client sorts, dates, and the borders of pieces; our
 * requests have two headers more (see docs/files-over-http.md).
 */
@Timeout(60)
class HttpTranscriptsIT {

    private static final String COMMON = "Date: x\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n";

    private static RawHttpServer http;
    private static ServerProcess server;

    @BeforeAll
    static void start() {
        http = RawHttpServer.answering(HttpTranscriptsIT::answer);
        server = ServerProcess.listening(
                List.of(), Map.of("MY_HDR", "fromenv", "CODEX_API_KEY", "secret"), "--protocol", "strict");
    }

    @AfterAll
    static void stop() {
        server.close();
        http.close();
    }

    private static void answer(RawHttpServer.Request request, OutputStream out) throws IOException {
        switch (request.path()) {
            case "/redir" -> chunked(out, "302 Found", "Location: /final\r\n", List.of());
            case "/slow" -> throw new RawHttpServer.SilenceException();
            case "/stream" ->
                chunked(out, "200 OK", "Content-Type: text/event-stream\r\n", List.of("one", "two", "three"));
            case "/abort" -> {
                out.write(("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n" + COMMON + "\r\npart").getBytes(ISO_8859_1));
                throw new IOException("abort");
            }
            default ->
                chunked(
                        out,
                        "200 OK",
                        "X-A: 1\r\nX-A: 2\r\n",
                        List.of(echo(request).toString()));
        }
    }

    private static void chunked(OutputStream out, String status, String headers, List<String> pieces)
            throws IOException {
        StringBuilder text = new StringBuilder("HTTP/1.1 " + status + "\r\n" + headers + COMMON)
                .append("Transfer-Encoding: chunked\r\n\r\n");
        pieces.forEach(piece -> text.append(Integer.toHexString(piece.length()))
                .append("\r\n")
                .append(piece)
                .append("\r\n"));
        out.write(text.append("0\r\n\r\n").toString().getBytes(ISO_8859_1));
    }

    private static ObjectNode echo(RawHttpServer.Request request) {
        ObjectNode headers = Json.object();
        request.headers().stream()
                .map(header -> header.substring(0, header.indexOf(':')))
                .forEach(name -> headers.put(name.toLowerCase(Locale.ROOT), String.join(", ", request.all(name))));
        String method = request.line().substring(0, request.line().indexOf(' '));
        return Json.object("m", method, "u", request.path(), "h", headers, "b", request.body());
    }

    private static String edited(String text) {
        return text.replace("127.0.0.1:PORT", "127.0.0.1:" + http.port());
    }

    private static void replay(String name, Map<String, String> ours) {
        try (WireClient client = WireClient.connect(server.port())) {
            Map<String, Call> calls = new HashMap<>();
            Map<String, ByteArrayOutputStream> bodies = new HashMap<>();
            Map<String, JsonNode> ends = new HashMap<>();
            for (Transcript.Line line : Transcript.load(name).lines()) {
                JsonNode message = Json.parse(edited(line.message().toString()));
                String id = message.path("id").asText();
                if (line.fromClient() && message.has("id")) {
                    calls.put(id, client.send(message));
                } else if (line.fromClient()) {
                    client.sendText(message.toString());
                } else if (message.has("id") && !message.path("result").has("sessionId")) {
                    JsonNode expected = ours.containsKey(id) ? Json.parse(ours.get(id)) : message;
                    compare(
                            name + " answer " + id,
                            expected,
                            calls.get(id).answer().message());
                } else if (message.has("method")) {
                    streamed(client, message.get("params"), bodies, ends);
                }
            }
        }
    }

    /** Reads pieces until the recorded bytes, or the recorded end, have come. */
    private static void streamed(
            WireClient client,
            JsonNode expected,
            Map<String, ByteArrayOutputStream> bodies,
            Map<String, JsonNode> ends) {
        String id = expected.get("requestId").asText();
        ByteArrayOutputStream wanted = bodies.computeIfAbsent(id + " wanted", key -> new ByteArrayOutputStream());
        ByteArrayOutputStream received = bodies.computeIfAbsent(id, key -> new ByteArrayOutputStream());
        wanted.writeBytes(Json.bytes(expected.get("deltaBase64")));
        boolean toTheEnd = expected.get("done").booleanValue();
        while (!ends.containsKey(id) && (toTheEnd || received.size() < wanted.size())) {
            JsonNode delta = client.nextStray().get("params");
            String of = delta.get("requestId").asText();
            bodies.computeIfAbsent(of, key -> new ByteArrayOutputStream())
                    .writeBytes(Json.bytes(delta.get("deltaBase64")));
            if (delta.get("done").booleanValue()) {
                ends.put(of, delta.get("error"));
            }
        }
        assertThat(received.toString(UTF_8)).startsWith(wanted.toString(UTF_8));
        if (toTheEnd) {
            assertThat(received.toString(UTF_8)).isEqualTo(wanted.toString(UTF_8));
            assertThat(ends.get(id)).as(id).isEqualTo(expected.get("error"));
        }
    }

    private static void compare(String what, JsonNode expected, JsonNode received) {
        assertThat(received.path("error").path("code"))
                .as(what)
                .isEqualTo(expected.path("error").path("code"));
        assertThat(received.path("error").path("message"))
                .as(what)
                .isEqualTo(expected.path("error").path("message"));
        JsonNode wanted = expected.path("result");
        JsonNode result = received.path("result");
        if (!wanted.has("status")) {
            assertThat(Json.names(result)).as(what).isEqualTo(Json.names(wanted));
            assertThat(result.path("config")).as(what).isEqualTo(wanted.path("config"));
            assertThat(result.path("requirements")).as(what).isEqualTo(wanted.path("requirements"));
            return;
        }
        assertThat(result.get("status")).as(what).isEqualTo(wanted.get("status"));
        assertThat(headers(result)).as(what).containsExactlyInAnyOrderElementsOf(headers(wanted));
        body(what, wanted, result);
    }

    private static void body(String what, JsonNode wanted, JsonNode result) {
        String recorded = edited(new String(Json.bytes(wanted.get("bodyBase64")), UTF_8));
        String received = new String(Json.bytes(result.get("bodyBase64")), UTF_8);
        if (!recorded.startsWith("{")) {
            assertThat(received).as(what).isEqualTo(recorded);
            return;
        }
        JsonNode echo = Json.parse(recorded);
        JsonNode ours = Json.parse(received);
        for (String member : List.of("m", "u", "b")) {
            assertThat(ours.get(member)).as(what).isEqualTo(echo.get(member));
        }
        echo.get("h")
                .properties()
                .forEach(header -> assertThat(ours.get("h").get(header.getKey()))
                        .as(what + " header " + header.getKey())
                        .isEqualTo(header.getValue()));
    }

    private static List<String> headers(JsonNode result) {
        List<String> headers = new ArrayList<>();
        result.get("headers").forEach(header -> {
            if (!header.get("name").asText().equals("date")) {
                headers.add(header.toString());
            }
        });
        return headers;
    }

    @Test
    void requestsBufferedAndStreamed() {
        replay("11-http-request", Map.of());
    }

    @Test
    void thereIsNoConfiguration() {
        String none = "{\"layers\":[],\"cloudInsertionIndex\":0}";
        replay(
                "12-environment-config",
                Map.of(
                        // the recorded server had a file
                        "2",
                        "{\"id\":2,\"result\":{\"userHomeDir\":\"x\",\"codexHomeDir\":\"x\",\"hostname\":\"x\",\"config\":"
                                + none + ",\"requirements\":" + none + "}}",
                        // not implemented, and not advertised
                        "5",
                        "{\"id\":5,\"error\":{\"code\":-32601,\"message\":\"exec-server stub does not implement "
                                + "`capabilities/discoverV2` yet\"}}"));
    }
}
