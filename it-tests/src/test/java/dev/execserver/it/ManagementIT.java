package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Program;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Metrics, health and administration at the management address. */
@Timeout(120)
class ManagementIT {
    private static final Path RULES =
            Path.of(System.getProperty("exec.server.repository"), "docs", "operations", "alerts.yml");

    @TempDir
    private Path directory;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void metricsCountWhatRunsAndTheNetworkAddressAdministersNothing() throws Exception {
        int port = freePort();
        String management = "http://127.0.0.1:" + port;
        try (ServerProcess server = ServerProcess.listening("--metrics", "on", "--management-listen", management);
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            client.start(Start.of("false")).closed();
            client.sendStart(Start.of("/nonexistent"));

            await().atMost(Duration.ofSeconds(20))
                    .until(() -> get(management + "/metrics")
                            .contains("execserver_process_exits_total{outcome=\"failure\"} 1.0\n"));
            assertThat(get(management + "/metrics"))
                    .contains(
                            "execserver_connections_open 1.0\n",
                            "execserver_sessions_open 1.0\n",
                            "execserver_process_starts_total{result=\"ok\"} 1.0\n",
                            "execserver_process_starts_total{result=\"error\"} 1.0\n",
                            "jvm_memory_used_bytes");
            assertThat(status(management + "/readyz")).isEqualTo(200);
            assertThat(status(management + "/admin/status")).isEqualTo(404);
            assertThat(status("http://127.0.0.1:" + server.port() + "/metrics")).isEqualTo(404);
        }
    }

    @Test
    void withoutAManagementAddressMetricsNeedTheCredentialOfClients() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "secret");
        try (ServerProcess server = ServerProcess.listening(
                "--metrics", "on", "--ws-auth", "capability-token", "--ws-token-file", token.toString())) {
            String page = "http://127.0.0.1:" + server.port() + "/metrics";
            assertThat(status(page)).isEqualTo(401);
            HttpRequest request = HttpRequest.newBuilder(URI.create(page))
                    .header("Authorization", "Bearer secret")
                    .build();
            assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        }
        try (ServerProcess server = ServerProcess.listening()) {
            assertThat(status("http://127.0.0.1:" + server.port() + "/metrics")).isEqualTo(404);
        }
    }

    @Test
    void theOperatorSeesKillsAndEndsWhatRunsInAllSessions() {
        Path socket = directory.resolve("admin");
        try (ServerProcess server = ServerProcess.listening("--management-listen", "unix:" + socket);
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            RemoteProcess process = client.start(Start.of("sleep", "4711"));

            String table = admin(socket, "processes").out();
            assertThat(table).contains("sleep 4711", "attached");
            assertThat(admin(socket, "--json", "processes").out()).contains("\"argv\":[\"sleep\",\"4711\"]");
            String session = table.lines().skip(1).findFirst().orElseThrow().split(" ", 2)[0];
            String name = table.lines().skip(1).findFirst().orElseThrow().split(" +")[1];

            assertThat(admin(socket, "kill", session, "another").status()).isEqualTo(1);
            assertThat(admin(socket, "kill", session, name).out()).isEqualTo("the process is killed\n");
            process.closed();
            assertThat(admin(socket, "status").out()).contains("1 sessions", "0 processes run");
            try (WireClient approver = WireClient.connect(server.port())) {
                approver.handshake();
                String token = admin(socket, "allow-approver", session).out().strip();
                assertThat(approver.call("exec/approve", "token", token)
                                .result()
                                .get("clientName"))
                        .isNotNull();
                assertThat(admin(socket, "allow-approver", "none").status()).isEqualTo(1);
                assertThat(approver.call("session/end").result()).isNotNull();
            }
            assertThat(admin(socket, "end-session", session).status()).isZero();
            assertThat(admin(socket, "sessions").out().lines()).hasSize(1);
            assertThat(admin(socket, "nonsense").status()).isEqualTo(2);
        }
    }

    @Test
    void aDrainedServerTakesNoNewSessionsAndStopsWhenNothingRuns() throws Exception {
        Path socket = directory.resolve("admin");
        Path go = directory.resolve("go");
        try (ServerProcess server = ServerProcess.listening("--management-listen", "unix:" + socket);
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            RemoteProcess process =
                    client.start(Start.shell("until [ -e '" + go + "' ]; do sleep 0.1; done; echo last"));

            assertThat(admin(socket, "drain", "600").status()).isZero();
            assertThat(status("http://127.0.0.1:" + server.port() + "/readyz")).isEqualTo(503);
            assertThat(admin(socket, "status").out()).startsWith("draining");
            assertThat(Program.run(directory, "", "run", "--url", server.url().toString(), "true")
                            .err())
                    .contains("takes no new sessions");

            Files.createFile(go);
            process.closed();
            assertThat(client.ending(Duration.ofSeconds(30)).code()).isEqualTo(1001);
            assertThat(server.exitStatus()).isZero();
        }
    }

    @Test
    void prometheusAcceptsTheAlertRules() throws Exception {
        Process check = new ProcessBuilder("promtool", "check", "rules", RULES.toString())
                .inheritIO()
                .start();
        assertThat(check.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(check.exitValue()).isZero();
    }

    private Program admin(Path socket, String... words) {
        List<String> arguments = new ArrayList<>(List.of("admin", "--url", "unix:" + socket));
        arguments.addAll(List.of(words));
        return Program.run(directory, "", arguments.toArray(String[]::new));
    }

    private String get(String url) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                .body();
    }

    private int status(String url) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding())
                .statusCode();
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }
}
