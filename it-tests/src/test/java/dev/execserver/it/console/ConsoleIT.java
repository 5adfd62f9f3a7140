package dev.execserver.it.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.ExecScene;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.NamedClient;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who gets into the console, from where, and what it may do; without a browser. */
@Timeout(120)
class ConsoleIT {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final String PROTOCOL = "Sec-WebSocket-Protocol";

    @TempDir(factory = VarTmp.class)
    private Path base;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void close() {
        http.close();
    }

    private ServerProcess server(String mode, String... clients) throws IOException {
        write(clients);
        return ServerProcess.listening(
                "--ws-auth",
                "named-clients",
                "--clients-file",
                base.resolve("clients.json").toString(),
                "--allowed-origins",
                "https://console.example.org",
                "--console",
                mode);
    }

    private void write(String... clients) throws IOException {
        Path next = Files.writeString(base.resolve("next"), "{\"clients\":[" + String.join(",", clients) + "]}");
        Files.move(
                next,
                base.resolve("clients.json"),
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.ATOMIC_MOVE);
    }

    private static String origin(ServerProcess server) {
        return "http://127.0.0.1:" + server.port();
    }

    private HttpResponse<String> send(ServerProcess server, String path, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return http.send(
                request.uri(URI.create(origin(server) + path)).timeout(LIMIT).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> login(ServerProcess server, String origin, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder().POST(BodyPublishers.ofString(token));
        return send(server, "/console/login", origin.isEmpty() ? request : request.header("Origin", origin));
    }

    private String key(ServerProcess server, String name) throws Exception {
        HttpResponse<String> answer = login(server, origin(server), name + "-token\n");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("cache-control")).contains("no-store");
        assertThat(answer.headers().map()).doesNotContainKey("set-cookie");
        return Json.parse(answer.body()).get("key").asText();
    }

    private static WireClient connect(ServerProcess server, String origin, String key) {
        WireClient client =
                WireClient.connect(server.port(), Map.of("Origin", origin, PROTOCOL, "exec-server-console, " + key));
        client.handshake();
        return client;
    }

    private static void refused(ServerProcess server, String origin, String key) {
        assertThatThrownBy(() -> connect(server, origin, key).close()).isNotNull();
    }

    private static Answer ask(WireClient client, String method, Object... members) {
        return client.send(method, Json.object(members)).answer(LIMIT);
    }

    @Test
    void thePageLoadsNothingFromElsewhereAndStandsInNoFrame() throws Exception {
        try (ServerProcess server = server("on", NamedClient.entry("ada", ""))) {
            for (String path : new String[] {"/console", "/console/console.js", "/console/console.css"}) {
                HttpResponse<String> page = send(server, path, HttpRequest.newBuilder());
                assertThat(page.statusCode()).as(path).isEqualTo(200);
                assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
                        .contains("default-src 'none'", "frame-ancestors 'none'", "script-src 'self'")
                        .doesNotContain("unsafe");
                assertThat(page.headers().firstValue("x-content-type-options")).contains("nosniff");
                String etag = page.headers().firstValue("etag").orElseThrow();
                assertThat(send(server, path, HttpRequest.newBuilder().header("If-None-Match", etag))
                                .statusCode())
                        .isEqualTo(304);
            }
            assertThat(send(server, "/console/other", HttpRequest.newBuilder()).statusCode())
                    .isEqualTo(404);
            assertThat(send(server, "/console", HttpRequest.newBuilder()).body())
                    .doesNotContain("style=", "<script>", "onclick");
        }
    }

    @Test
    void thereIsNoConsoleUnlessItIsAskedForAndNoneWithoutAuthentication() throws Exception {
        try (ServerProcess server = server("off", NamedClient.entry("ada", ""))) {
            assertThat(send(server, "/console", HttpRequest.newBuilder()).statusCode())
                    .isEqualTo(404);
            assertThat(login(server, origin(server), "ada-token").statusCode()).isEqualTo(403);
        }
        try (ServerProcess open = ServerProcess.launched("--listen", "ws://127.0.0.1:0", "--console", "on")) {
            assertThat(open.exitStatus()).isNotZero();
            assertThat(open.stderr()).contains("--ws-auth");
        }
    }

    @Test
    void pagesOfOtherOriginsGetNowhere() throws Exception {
        try (ServerProcess server = server("write", NamedClient.entry("ada", ""))) {
            String key = key(server, "ada");
            for (String strange : new String[] {
                "", "null", "http://127.0.0.1:1", "https://127.0.0.1:" + server.port(), "http://evil.example"
            }) {
                assertThat(login(server, strange, "ada-token").statusCode())
                        .as(strange)
                        .isEqualTo(403);
                if (!strange.isEmpty()) {
                    refused(server, strange, key);
                    assertThat(send(
                                            server,
                                            "/console/files?path=/etc/hostname",
                                            HttpRequest.newBuilder()
                                                    .header("Origin", strange)
                                                    .header("Authorization", "Bearer " + key))
                                    .statusCode())
                            .isEqualTo(403);
                }
            }
            assertThat(login(server, "https://console.example.org", "ada-token").statusCode())
                    .isEqualTo(200);
            connect(server, "https://console.example.org", key).close();
        }
    }

    @Test
    void wrongTokensAndWrongKeysAreRefused() throws Exception {
        try (ServerProcess server = server("write", NamedClient.entry("ada", ""))) {
            assertThat(login(server, origin(server), "wrong").statusCode()).isEqualTo(401);
            assertThat(login(server, origin(server), "").statusCode()).isEqualTo(401);
            assertThat(login(server, origin(server), "x".repeat(100_000)).statusCode())
                    .isEqualTo(413);
            refused(server, origin(server), "ada-token");
            refused(server, origin(server), "");
            assertThat(send(
                                    server,
                                    "/console/files?path=/etc/hostname",
                                    HttpRequest.newBuilder().header("Authorization", "Bearer ada-token"))
                            .statusCode())
                    .isEqualTo(401);
            // The key opens the console's doors only.
            assertThatThrownBy(() -> WireClient.connect(
                                    server.port(), Map.of("Authorization", "Bearer " + key(server, "ada")))
                            .handshake())
                    .isNotNull();
        }
    }

    @Test
    void aLogInEndsWithTheLogOutAndWithTheRightsOfItsClient() throws Exception {
        try (ServerProcess server = server("write", NamedClient.entry("ada", ""), NamedClient.entry("bob", ""))) {
            String ada = key(server, "ada");
            String bob = key(server, "bob");
            connect(server, origin(server), ada).close();
            assertThat(send(
                                    server,
                                    "/console/logout",
                                    HttpRequest.newBuilder()
                                            .POST(BodyPublishers.noBody())
                                            .header("Origin", origin(server))
                                            .header("Authorization", "Bearer " + ada))
                            .statusCode())
                    .isEqualTo(204);
            refused(server, origin(server), ada);
            connect(server, origin(server), bob).close();

            write(NamedClient.entry("ada", ""));
            org.awaitility.Awaitility.await().atMost(LIMIT).untilAsserted(() -> refused(server, origin(server), bob));
        }
    }

    @Test
    void peopleWhoLookOnlyCannotChangeAnything() throws Exception {
        Path file = Files.writeString(base.resolve("file"), "text");
        try (ServerProcess server = server("on", NamedClient.entry("ada", ""));
                WireClient driver = WireClient.connect(server.port(), Map.of("Authorization", "Bearer ada-token"))) {
            driver.handshake();
            driver.start(Start.of("sleep", "600"));
            String key = key(server, "ada");
            try (WireClient page = connect(server, origin(server), key)) {
                Answer sessions = ask(page, "session/list");
                assertThat(sessions.result().toString()).contains("sleep");
                for (String method : new String[] {
                    "process/start",
                    "process/write",
                    "process/signal",
                    "process/terminate",
                    "fs/writeFile",
                    "fs/remove",
                    "fs/copy",
                    "http/request",
                    "exec/approve",
                    "fs/createDirectory",
                    "process/resize"
                }) {
                    Answer answer = ask(page, method);
                    assertThat(answer.failed()).as(method).isTrue();
                    assertThat(answer.error().at("/data/reason").asText())
                            .as(method)
                            .isEqualTo("methodNotAllowed");
                }
            }
            String files = "/console/files?path=" + file;
            HttpRequest.Builder get = HttpRequest.newBuilder().header("Authorization", "Bearer " + key);
            assertThat(send(server, files, get).body()).isEqualTo("text");
            HttpRequest.Builder put = HttpRequest.newBuilder()
                    .PUT(BodyPublishers.ofString("other"))
                    .header("Origin", origin(server))
                    .header("Authorization", "Bearer " + key);
            assertThat(send(server, files, put).statusCode()).isEqualTo(403);
            assertThat(file).hasContent("text");
        }
    }

    @Test
    void peopleWhoLookOnlyNeitherTakeNorEndTheSessionOfAnother() throws Exception {
        try (ServerProcess server = server("on", NamedClient.entry("ada", ""));
                WireClient driver = WireClient.connect(server.port(), Map.of("Authorization", "Bearer ada-token"))) {
            String session = driver.handshake().get("sessionId").asText();
            ExecScene execs = new ExecScene(driver);
            RemoteProcess process = execs.run("id -u", ExecScene.prompted());
            JsonNode question = execs.question();
            String key = key(server, "ada");
            try (WireClient page = opened(server, key)) {
                Answer refused = resume(page, session, true);
                assertThat(refused.errorMessage()).contains("looks only");
                assertThat(refused.error().at("/data/reason").asText()).isEqualTo("methodNotAllowed");
                assertThat(ask(page, "session/end").failed()).isTrue();
            }
            try (WireClient page = opened(server, key)) {
                page.answer(question, Json.object("decision", "escalate"));
                assertThat(resume(page, session, true).failed()).isTrue();
            }
            try (WireClient page = connect(server, origin(server), key)) {
                assertThat(ask(page, "session/end").failed()).isFalse();
            }
            driver.cut();
            try (WireClient page = opened(server, key)) {
                assertThat(resume(page, session, false).errorMessage()).contains("looks only");
            }

            execs.goOn(WireClient.connect(server.port(), Map.of("Authorization", "Bearer ada-token")));
            assertThat(resume(execs.client(), session, false).failed()).isFalse();
            execs.client().notify("initialized", Json.object());
            assertThat(process.isExited()).isFalse();
            execs.answer(execs.question(), "deny");
            execs.close();
        }
    }

    @Test
    void aPageThatLooksComesBackToItsOwnSessionAsLongAsNobodyElseHasHadIt() throws Exception {
        try (ServerProcess server = server("on", NamedClient.entry("ada", ""))) {
            String key = key(server, "ada");
            String session;
            try (WireClient page = opened(server, key)) {
                session = page.handshake().get("sessionId").asText();
                try (WireClient again = opened(server, key)) {
                    assertThat(resume(again, session, true).failed()).isFalse();
                }
            }
            try (WireClient driver = WireClient.connect(server.port(), Map.of("Authorization", "Bearer ada-token"))) {
                assertThat(resume(driver, session, true).failed()).isFalse();
                try (WireClient page = opened(server, key)) {
                    assertThat(resume(page, session, true).errorMessage()).contains("looks only");
                }
            }
        }
    }

    private static WireClient opened(ServerProcess server, String key) {
        return WireClient.connect(
                server.port(), Map.of("Origin", origin(server), PROTOCOL, "exec-server-console, " + key));
    }

    private static Answer resume(WireClient client, String session, boolean takeover) {
        return ask(client, "initialize", "clientName", "page", "resumeSessionId", session, "takeover", takeover);
    }

    @Test
    void theRightsOfANamedClientHoldInTheConsoleToo() throws Exception {
        try (ServerProcess server =
                        server("write", NamedClient.entry("ada", ",\"methods\":[\"session/*\",\"fs/readDirectory\"]"));
                WireClient page = connect(server, origin(server), key(server, "ada"))) {
            assertThat(ask(page, "session/list").failed()).isFalse();
            assertThat(ask(page, "process/start").error().at("/data/reason").asText())
                    .isEqualTo("methodNotAllowed");
            assertThat(ask(page, "fs/writeFile").error().at("/data/reason").asText())
                    .isEqualTo("methodNotAllowed");
        }
    }
}
