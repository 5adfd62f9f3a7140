package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.McpStdio;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.VarTmp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The MCP server over Streamable HTTP: sessions, streams, resumption, access. */
@Timeout(180)
class ShellMcpHttpIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String TOKEN = "a-token-of-this-test-that-is-long-enough";

    @TempDir(factory = VarTmp.class)
    private Path home;

    private final String mark = UUID.randomUUID().toString();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LIMIT)
            .build();

    private ServerProcess server;

    private void start(String... options) {
        List<String> all = new ArrayList<>(List.of("--mcp", "on"));
        all.addAll(List.of(options));
        server = ServerProcess.listening(List.of(), Map.of("HOME", home.toString()), all.toArray(String[]::new));
    }

    @AfterEach
    void close() {
        http.close();
        server.close();
    }

    private HttpRequest.Builder request() {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/mcp"))
                .timeout(LIMIT)
                .header("Accept", "application/json, text/event-stream")
                .header("Content-Type", "application/json");
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private static String message(Object id, String method, JsonNode params) {
        return Json.object("jsonrpc", "2.0", "id", id, "method", method, "params", params)
                .toString();
    }

    private static String initialize() {
        return message(
                1,
                "initialize",
                Json.object(
                        "protocolVersion", "2025-06-18",
                        "capabilities", Json.object(),
                        "clientInfo", Json.object("name", "it-tests", "version", "0")));
    }

    private static String shell(Object id, String command, Path workdir) {
        return message(
                id,
                "tools/call",
                Json.object("name", "shell", "arguments", McpStdio.shellArguments(command, workdir.toString())));
    }

    private String session() throws IOException, InterruptedException {
        HttpResponse<String> answer = send(request().POST(BodyPublishers.ofString(initialize())));
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.headers().firstValue("Mcp-Session-Id").orElseThrow();
    }

    private HttpRequest.Builder of(String session) {
        return request().header("Mcp-Session-Id", session).header("MCP-Protocol-Version", "2025-06-18");
    }

    @Test
    void aSessionBeginsRunsAndEnds() throws Exception {
        start();
        HttpResponse<String> begun = send(request().POST(BodyPublishers.ofString(initialize())));
        assertThat(Json.parse(begun.body()).at("/result/protocolVersion").textValue())
                .isEqualTo("2025-06-18");
        String session = begun.headers().firstValue("Mcp-Session-Id").orElseThrow();
        assertThat(send(of(session)
                                .POST(BodyPublishers.ofString(
                                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}")))
                        .statusCode())
                .isEqualTo(202);
        HttpResponse<String> tools =
                send(of(session).POST(BodyPublishers.ofString(message("x", "tools/list", Json.object()))));
        assertThat(Json.parse(tools.body()).at("/result/tools/0/name").textValue())
                .isEqualTo("shell");

        HttpResponse<String> called = send(of(session).POST(BodyPublishers.ofString(shell(3, "echo over http", home))));
        assertThat(called.headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(McpStdio.content(events(called.body()).getLast())
                        .get("stdout")
                        .textValue())
                .isEqualTo("over http\n");

        send(of(session)
                .POST(BodyPublishers.ofString(message(
                        4,
                        "tools/call",
                        Json.object(
                                "name",
                                "shell",
                                "arguments",
                                Json.object(
                                        "command",
                                        "MARK=" + mark + " sleep 92",
                                        "workdir",
                                        home.toString(),
                                        "background",
                                        true))))));
        await().atMost(LIMIT).until(() -> !ProcFs.marked(mark).isEmpty());
        assertThat(send(of(session).DELETE()).statusCode()).isEqualTo(204);
        await().atMost(LIMIT).until(() -> ProcFs.marked(mark).isEmpty());
        assertThat(send(of(session).POST(BodyPublishers.ofString(message(5, "ping", Json.object()))))
                        .statusCode())
                .isEqualTo(404);
    }

    private static List<JsonNode> events(String body) {
        return body.lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> Json.parse(line.substring("data: ".length())))
                .toList();
    }

    @Test
    void aClientThatWasCutOffGetsTheAnswerLater() throws Exception {
        start();
        String session = session();
        String lastId;
        HttpRequest call = of(session)
                .POST(BodyPublishers.ofString(Json.object(
                                "jsonrpc",
                                "2.0",
                                "id",
                                2,
                                "method",
                                "tools/call",
                                "params",
                                Json.object(
                                        "name",
                                        "shell",
                                        "arguments",
                                        McpStdio.shellArguments(
                                                "echo ready; until [ -e go ]; do sleep 0.05; done; echo gone",
                                                home.toString()),
                                        "_meta",
                                        Json.object("progressToken", 7)))
                        .toString()))
                .build();
        try (InputStream cut = http.send(call, BodyHandlers.ofInputStream()).body();
                BufferedReader lines = new BufferedReader(new InputStreamReader(cut, StandardCharsets.UTF_8))) {
            lastId = lines.lines()
                    .filter(line -> line.startsWith("id: "))
                    .findFirst()
                    .orElseThrow()
                    .substring("id: ".length());
        }
        Files.createFile(home.resolve("go"));
        HttpResponse<String> resumed =
                send(of(session).header("Last-Event-ID", lastId).GET());

        assertThat(McpStdio.content(events(resumed.body()).getLast())
                        .get("output")
                        .textValue())
                .isEqualTo("ready\ngone\n");
        assertThat(send(of(session).header("Last-Event-ID", "99-1").GET()).statusCode())
                .isEqualTo(404);
    }

    @Test
    void questionsComeOnTheStreamOfTheirCall() throws Exception {
        Path rules = home.resolve("my.rules");
        Files.writeString(rules, "prefix_rule([\"touch\"], decision=\"prompt\")\n");
        start("--mcp-rules", rules.toString());
        String session = send(request()
                        .POST(BodyPublishers.ofString(message(
                                1,
                                "initialize",
                                Json.object(
                                        "protocolVersion", "2025-06-18",
                                        "capabilities", Json.object("elicitation", Json.object()),
                                        "clientInfo", Json.object("name", "it-tests", "version", "0"))))))
                .headers()
                .firstValue("Mcp-Session-Id")
                .orElseThrow();
        HttpRequest call = of(session)
                .POST(BodyPublishers.ofString(shell(2, "touch asked && echo yes", home)))
                .build();
        try (InputStream stream = http.send(call, BodyHandlers.ofInputStream()).body();
                BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            JsonNode question = nextEvent(lines);
            assertThat(question.get("method").textValue()).isEqualTo("elicitation/create");
            assertThat(send(of(session)
                                    .POST(BodyPublishers.ofString(Json.object(
                                                    "jsonrpc", "2.0",
                                                    "id", question.get("id"),
                                                    "result", Json.object("action", "accept"))
                                            .toString())))
                            .statusCode())
                    .isEqualTo(202);
            assertThat(McpStdio.content(nextEvent(lines)).get("stdout").textValue())
                    .isEqualTo("yes\n");
        }
    }

    private static JsonNode nextEvent(BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("data: ")) {
                return Json.parse(line.substring("data: ".length()));
            }
        }
        throw new AssertionError("the stream has ended");
    }

    @Test
    void whoMayNotConnectIsRefused() throws Exception {
        Path token = home.resolve("token");
        Files.writeString(token, TOKEN);
        start("--ws-auth", "capability-token", "--ws-token-file", token.toString());

        assertThat(send(request().POST(BodyPublishers.ofString(initialize()))).statusCode())
                .isEqualTo(401);
        HttpRequest.Builder page =
                request().header("Authorization", "Bearer " + TOKEN).header("Origin", "http://evil");
        assertThat(send(page.POST(BodyPublishers.ofString(initialize()))).statusCode())
                .isEqualTo(403);
        assertThat(send(request()
                                .header("Authorization", "Bearer " + TOKEN)
                                .POST(BodyPublishers.ofString(initialize())))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void requestsThatAreNoneOfTheProtocolAreRefused() throws Exception {
        start();
        String session = session();
        String ping = message(2, "ping", Json.object());

        assertThat(send(request().POST(BodyPublishers.ofString(ping))).statusCode())
                .isEqualTo(400);
        assertThat(send(request().header("Mcp-Session-Id", "none").POST(BodyPublishers.ofString(ping)))
                        .statusCode())
                .isEqualTo(404);
        HttpResponse<String> garbage = send(of(session).POST(BodyPublishers.ofString("no json")));
        assertThat(garbage.statusCode()).isEqualTo(400);
        assertThat(Json.parse(garbage.body()).at("/error/code").intValue()).isEqualTo(-32700);
        assertThat(send(request()
                                .header("Mcp-Session-Id", session)
                                .header("MCP-Protocol-Version", "1999-01-01")
                                .POST(BodyPublishers.ofString(ping)))
                        .statusCode())
                .isEqualTo(400);
        assertThat(send(of(session).PUT(BodyPublishers.ofString(ping))).statusCode())
                .isEqualTo(405);
        HttpRequest.Builder jsonOnly = HttpRequest.newBuilder(request().build().uri())
                .header("Accept", "application/json")
                .header("Content-Type", "application/json");
        assertThat(send(jsonOnly.POST(BodyPublishers.ofString(initialize()))).statusCode())
                .isEqualTo(406);
        assertThat(send(of(session).POST(BodyPublishers.ofString("x".repeat(5_000_000))))
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void aMessageMayComeInChunks() throws Exception {
        start();
        String session = session();
        String ping = message(2, "ping", Json.object());

        HttpResponse<String> answer = send(of(session).POST(inChunks(ping)));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(Json.parse(answer.body()).get("id").intValue()).isEqualTo(2);
        assertThat(send(of(session).POST(inChunks("x".repeat(5_000_000)))).statusCode())
                .isEqualTo(413);
    }

    /** Without a length the client sends chunks. */
    private static HttpRequest.BodyPublisher inChunks(String text) {
        return BodyPublishers.fromPublisher(BodyPublishers.ofString(text));
    }

    @Test
    void aMessageForWhichThereIsNoMemoryIsRefusedAndTheNextIsServed() throws Exception {
        start("--request-memory-bytes", "16MiB");
        String session = session();
        String large = message(2, "tools/list", Json.object("filler", "x".repeat(4_100_000)));

        HttpResponse<String> refused = send(of(session).POST(BodyPublishers.ofString(large)));

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("--request-memory-bytes");
        assertThat(send(of(session).POST(BodyPublishers.ofString(message(3, "tools/list", Json.object()))))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aSessionThatNobodyUsesEndsWithItsCommands() throws Exception {
        start("--mcp-session-ttl", "1s");
        String session = session();
        send(of(session)
                .POST(BodyPublishers.ofString(message(
                        4,
                        "tools/call",
                        Json.object(
                                "name",
                                "shell",
                                "arguments",
                                Json.object(
                                        "command",
                                        "MARK=" + mark + " sleep 93",
                                        "workdir",
                                        home.toString(),
                                        "background",
                                        true))))));

        await().atMost(LIMIT).until(() -> ProcFs.marked(mark).isEmpty());
        await().atMost(LIMIT)
                .until(() -> send(of(session).POST(BodyPublishers.ofString(message(5, "ping", Json.object()))))
                                .statusCode()
                        == 404);
    }

    @Test
    void withoutTheOptionThereIsNothing() throws Exception {
        server = ServerProcess.listening();

        assertThat(send(request().POST(BodyPublishers.ofString(initialize()))).statusCode())
                .isEqualTo(404);
    }
}
