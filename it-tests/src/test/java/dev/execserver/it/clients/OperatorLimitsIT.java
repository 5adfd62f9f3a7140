package dev.execserver.it.clients;

import static dev.execserver.it.support.NamedClient.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.AppClient;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.McpStdio;
import dev.execserver.it.support.Program;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Defaults, maxima and totals that the operator sets for all commands, at every door. */
@Timeout(180)
class OperatorLimitsIT {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final String FORKS = "for i in 1 2 3 4; do sleep 1 & done; wait";

    @TempDir(factory = VarTmp.class)
    private Path base;

    private ServerProcess server(String... options) {
        return ServerProcess.listening(options);
    }

    private static WireClient connect(ServerProcess server) {
        WireClient client = WireClient.connect(server.port());
        client.handshake();
        return client;
    }

    private static String output(RemoteProcess process) {
        process.closed();
        return process.text();
    }

    private static Answer refused(WireClient client, Start start) {
        Answer answer = client.send("process/start", start.params()).answer(LIMIT);
        assertThat(answer.failed()).as(answer.message().toString()).isTrue();
        assertThat(answer.error().at("/data/reason").asText()).isEqualTo("limits");
        return answer;
    }

    @Test
    void aCommandThatAsksForNothingGetsTheDefaultAndOneThatAsksForTooMuchIsRefused() {
        try (ServerProcess server =
                        server("--default-limits", "openFiles=77", "--max-limits", "openFiles=200,timeoutMs=1s");
                WireClient client = connect(server)) {
            assertThat(output(client.start(Start.shell("ulimit -n")))).isEqualTo("77\n");
            assertThat(output(client.start(Start.shell("ulimit -n").with("limits", Json.object("openFiles", 200)))))
                    .isEqualTo("200\n");
            assertThat(client.start(Start.shell("sleep 60"))
                            .exited()
                            .params()
                            .get("reason")
                            .asText())
                    .isEqualTo("timeout");

            Start greedy = Start.shell("true").with("limits", Json.object("openFiles", 201));
            assertThat(refused(client, greedy).error().get("message").asText())
                    .isEqualTo("limits.openFiles 201 is more than the operator allows, 200 (--max-limits)");
            assertThat(refused(client, Start.shell("true").with("timeoutMs", 1001))
                            .error()
                            .at("/data/limit")
                            .asLong())
                    .isEqualTo(1000);
            assertThat(refused(client, Start.shell("true").with("timeoutMs", 0))
                            .error()
                            .get("message")
                            .asText())
                    .contains("no time limit");
        }
    }

    @Test
    void commandExecHasTheLimitsAndItsOwnDefaultTimeIsNoWishOfTheClient() {
        try (ServerProcess server = server("--max-limits", "timeoutMs=1s,openFiles=99");
                AppClient client = AppClient.connect(server.port())) {
            client.handshake(true);
            JsonNode ended = client.call("command/exec", "command", List.of("sh", "-c", "ulimit -n; exec sleep 60"));
            assertThat(ended.at("/result/exitCode").asInt()).isEqualTo(124);
            assertThat(ended.at("/result/stdout").asText()).isEqualTo("99\n");

            for (Object[] wish : List.of(new Object[] {"timeoutMs", 1001}, new Object[] {"disableTimeout", true})) {
                JsonNode refused = client.call("command/exec", "command", List.of("true"), wish[0], wish[1]);
                assertThat(refused.at("/error/message").asText()).contains("operator allows", "1000 (--max-limits)");
            }
        }
    }

    @Test
    void aDefaultTimeOfTheOperatorTakesThePlaceOfThatOfTheMethod() {
        try (ServerProcess server = server("--default-limits", "timeoutMs=300ms");
                AppClient client = AppClient.connect(server.port())) {
            client.handshake(true);
            assertThat(client.call("command/exec", "command", List.of("sleep", "60"))
                            .at("/result/exitCode")
                            .asInt())
                    .isEqualTo(124);
            JsonNode unlimited =
                    client.call("command/exec", "command", List.of("sleep", "0.5"), "disableTimeout", true);
            assertThat(unlimited.at("/result/exitCode").asInt()).isZero();
        }
    }

    @Test
    void aNamedClientHasLimitsOfItsOwnOverHttpAndMcpToo() throws Exception {
        Path clients = Files.writeString(
                base.resolve("clients.json"),
                "{\"clients\":["
                        + entry("alice", ",\"defaultLimits\":{\"openFiles\":66},\"maxLimits\":{\"timeoutMs\":1000}")
                        + "," + entry("bob", "") + "]}");
        try (HttpClient http = HttpClient.newHttpClient();
                ServerProcess server = server(
                        "--ws-auth",
                        "named-clients",
                        "--clients-file",
                        clients.toString(),
                        "--mcp",
                        "on",
                        "--max-limits",
                        "timeoutMs=5s,openFiles=88")) {
            String script = "{\"command\":[\"sh\",\"-c\",\"ulimit -n\"]%s}";
            assertThat(post(http, server, "alice", "/v1/exec", script.formatted(""))
                            .body())
                    .contains("66\\n");
            assertThat(post(http, server, "bob", "/v1/exec", script.formatted(""))
                            .body())
                    .contains("88\\n");
            HttpResponse<String> refused =
                    post(http, server, "alice", "/v1/exec", script.formatted(",\"timeoutMs\":2000"));
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("the client alice, 1000 (maxLimits in --clients-file)");
            assertThat(post(http, server, "bob", "/v1/exec", script.formatted(",\"timeoutMs\":2000"))
                            .body())
                    .contains("88\\n");

            assertThat(shell(http, server, "ulimit -n", Map.of())).contains("66");
            assertThat(shell(http, server, "true", Map.of("timeout_ms", 2000)))
                    .contains("operator allows the client alice");
            assertThat(shell(http, server, "sleep 60", Map.of())).contains("124");
        }
    }

    private String shell(HttpClient http, ServerProcess server, String command, Map<String, Object> more)
            throws IOException, InterruptedException {
        HttpResponse<String> begun = post(http, server, "alice", "/mcp", """
                {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",
                 "capabilities":{},"clientInfo":{"name":"it","version":"0"}}}""");
        var arguments = McpStdio.shellArguments(command, base.toString());
        arguments.remove("timeout_ms");
        more.forEach((name, value) -> arguments.set(name, Json.value(value)));
        return post(
                        http,
                        server,
                        "alice",
                        "/mcp",
                        Json.object(
                                        "jsonrpc",
                                        "2.0",
                                        "id",
                                        2,
                                        "method",
                                        "tools/call",
                                        "params",
                                        Json.object("name", "shell", "arguments", arguments))
                                .toString(),
                        "Mcp-Session-Id",
                        begun.headers().firstValue("Mcp-Session-Id").orElseThrow())
                .body();
    }

    private static HttpResponse<String> post(
            HttpClient http, ServerProcess server, String name, String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Authorization", "Bearer " + name + "-token")
                .header("Accept", path.equals("/mcp") ? "application/json, text/event-stream" : "application/json")
                .header("Content-Type", "application/json")
                .timeout(LIMIT)
                .POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({"--session-limits, false", "--server-limits, true"})
    void allCommandsTogetherAreBounded(String option, boolean acrossSessions) {
        try (ServerProcess server = server(option, "pids=6");
                WireClient one = connect(server);
                WireClient other = connect(server)) {
            one.start(Start.shell("sleep 600 & sleep 600 & echo ready; wait")).awaitText("ready");

            assertThat(output(one.start(Start.shell(FORKS)))).contains("annot fork");
            assertThat(output(other.start(Start.shell(FORKS))).contains("annot fork"))
                    .isEqualTo(acrossSessions);
        }
    }

    @Test
    void memoryOfASessionIsBoundedAndItsGroupsGoWithIt() {
        try (ServerProcess server = server("--session-limits", "memoryBytes=128MiB", "--state-dir", base.toString())) {
            try (WireClient client = connect(server)) {
                String eater = "exec perl -e '$x = \"a\" x (40 << 20); $| = 1; print \"full\"; sleep 600'";
                RemoteProcess first = client.start(Start.shell(eater));
                first.awaitText("full");
                RemoteProcess second = client.start(Start.shell(eater));
                await().atMost(LIMIT).until(() -> first.isExited() || second.isExited()); // the kernel chooses one
                RemoteProcess ended = first.isExited() ? first : second;
                assertThat(ended.exited().params().path("reason").asText()).isEqualTo("memory");
                assertThat(sessionGroups()).isNotEmpty();
                client.send("session/end", Json.object()).answer(LIMIT);
                await().atMost(LIMIT).until(() -> sessionGroups().isEmpty());
            }
        }
    }

    /** Groups around sessions of the server whose state is in {@code base}. */
    private List<Path> sessionGroups() {
        try (Stream<Path> inState = Files.list(base);
                Stream<Path> groups = Files.find(Path.of("/sys/fs/cgroup"), 8, (_, file) -> file.isDirectory())) {
            List<String> own = inState.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith("exec-server-"))
                    .toList();
            return groups.filter(path -> path.getFileName().toString().startsWith("s")
                            && own.contains(path.getParent().getFileName().toString()))
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of(base); // a group has gone while we looked: look again
        }
    }

    @Test
    void aStartWithImpossibleLimitsSaysWhich() {
        assertThat(Program.run(base, "", "--default-limits", "pids=10", "--max-limits", "pids=5"))
                .satisfies(program -> {
                    assertThat(program.status()).isEqualTo(2);
                    assertThat(program.err()).contains("pids of --default-limits", "--max-limits");
                });
    }
}
