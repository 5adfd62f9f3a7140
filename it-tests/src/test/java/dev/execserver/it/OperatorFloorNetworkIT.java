package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A managed network and the proxy of a process under what the operator has set. */
@Timeout(120)
class OperatorFloorNetworkIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static Path base;
    private static Path workspace;
    private static RawHttpServer http;

    @BeforeAll
    static void prepare() throws IOException {
        base = Files.createTempDirectory(Path.of("/var/tmp").toRealPath(), "exec-server-it-");
        workspace = Files.createDirectory(base.resolve("ws"));
        Files.writeString(base.resolve("secret"), "secret");
        http = RawHttpServer.answering((request, out) -> {
            out.write(RawHttpServer.ok("hello"));
            throw new IOException("closed");
        });
    }

    @AfterAll
    static void cleanUp() throws IOException {
        http.close();
        try (var files = Files.walk(base)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Everything may be read but the secret, the workspace may be written. */
    private static String profile(String network) {
        return """
                {"type":"managed","network":"%s","file_system":{"type":"restricted","entries":[
                 {"path":{"type":"special","value":{"kind":"root"}},"access":"read"},
                 {"path":{"type":"path","path":"%s"},"access":"deny"},
                 {"path":{"type":"path","path":"%s"},"access":"write"}]}}
                """.formatted(network, base.resolve("secret"), workspace);
    }

    private static ServerProcess floor(String network) throws IOException {
        Path file = Files.writeString(base.resolve("floor-" + network), profile(network));
        return ServerProcess.listening("--sandbox-floor", file.toString());
    }

    private static WireClient client(ServerProcess server) {
        WireClient client = WireClient.connect(server.port());
        client.handshake();
        return client;
    }

    private static Start inside(String network, String script) {
        ObjectNode sandbox = Json.object(
                "permissions",
                Json.parse(profile(network)),
                "cwd",
                workspace.toUri().toString(),
                "windowsSandboxLevel",
                "disabled");
        return Start.bash(script).with("cwd", workspace.toUri().toString()).with("sandbox", sandbox);
    }

    private static Start managed(Start start) {
        return start.with("enforceManagedNetwork", true);
    }

    private static Start proxied(Start start) {
        return start.with("networkProxy", ProxyConfig.allowing("127.0.0.1").json());
    }

    private static void refused(WireClient client, Start start) {
        Answer answer = client.sendStart(start.id("p")).started();
        assertThat(answer.failed()).as("%s", answer).isTrue();
        assertThat(answer.errorMessage()).contains("floor", "network");
        assertThat(answer.error().at("/data/reason").asText()).isEqualTo("sandboxFloor");
    }

    private static String output(WireClient client, Start start) {
        RemoteProcess process = client.start(start);
        process.closed(LIMIT);
        return process.text();
    }

    @Test
    void aFloorWithoutNetworkHasNoProxyEither() throws IOException {
        try (ServerProcess server = floor("restricted");
                WireClient client = client(server)) {
            String proxy = "http://127.0.0.1:" + http.port();
            for (String network : List.of("restricted", "enabled")) {
                refused(client, managed(inside(network, "touch ran")).env("HTTP_PROXY", proxy));
                refused(client, proxied(inside(network, "touch ran")));
                refused(client, managed(proxied(inside(network, "touch ran"))));
            }
            refused(client, proxied(Start.bash("touch " + workspace + "/ran")));
            assertThat(workspace).isEmptyDirectory();
            assertThat(output(client, inside("restricted", "echo ran").id("p")))
                    .as("the id is free")
                    .isEqualTo("ran\n");
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(ProcFs.listeningPorts(server.pid()))
                            .as("no proxy is left")
                            .containsExactly(server.port()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"restricted", "enabled"})
    void aFloorWithNetworkHasProxiesAndStillBoundsFiles(String network) throws IOException {
        try (ServerProcess server = floor("enabled");
                WireClient client = client(server)) {
            String fetch = "curl -sS " + http.url("/") + "; echo; cat " + base.resolve("secret")
                    + " 2>&1 | grep -o denied;" + " (exec 3<>/dev/tcp/127.0.0.1/" + http.port()
                    + ") 2>/dev/null && echo direct || echo only";
            assertThat(output(client, managed(proxied(inside(network, fetch))))).isEqualTo("hello\ndenied\nonly\n");
            refused(client, proxied(Start.bash("true")), "writing to");
            Start wide = managed(proxied(inside(network, "true")))
                    .with(
                            "sandbox",
                            Json.object(
                                    "permissions",
                                    Json.parse("{\"type\":\"disabled\"}"),
                                    "windowsSandboxLevel",
                                    "disabled"));
            refused(client, wide, "floor");
        }
    }

    private static void refused(WireClient client, Start start, String words) {
        Answer answer = client.sendStart(start).started();
        assertThat(answer.failed()).as("%s", answer).isTrue();
        assertThat(answer.errorMessage()).contains(words);
    }

    @Test
    void aRequiredSandboxIsRequiredOfAProxiedProcessToo() {
        try (ServerProcess server = ServerProcess.listening("--require-sandbox");
                WireClient client = client(server)) {
            refused(client, proxied(Start.bash("true")), "--require-sandbox");
            assertThat(output(client, managed(proxied(inside("restricted", "curl -sS " + http.url("/"))))))
                    .isEqualTo("hello");
        }
    }
}
