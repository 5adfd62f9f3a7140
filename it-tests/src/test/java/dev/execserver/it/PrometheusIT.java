package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Debian's Prometheus scrapes a running server and evaluates the rules of docs/operations. */
@Timeout(180)
class PrometheusIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Path OPERATIONS = Path.of(System.getProperty("exec.server.repository"), "docs", "operations");

    @TempDir(factory = VarTmp.class)
    private Path directory;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void prometheusScrapesTheMetricsAndTheAlertsFollowThem() throws Exception {
        int metrics = freePort();
        int port = freePort();
        Files.writeString(
                directory.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ['%s']
                scrape_configs:
                  - job_name: exec-server
                    static_configs: [{targets: ['127.0.0.1:%d']}]
                """.formatted(OPERATIONS.resolve("alerts.yml"), metrics));
        String management = "http://127.0.0.1:" + metrics;
        Process prometheus = start(port);
        try {
            try (ServerProcess server = ServerProcess.listening("--metrics", "on", "--management-listen", management);
                    WireClient client = WireClient.connect(server.port())) {
                client.handshake();
                client.start(Start.of("false")).closed();
                client.start(Start.of("true")).closed();

                awaitValue(port, "up{job=\"exec-server\"}", "1");
                awaitValue(port, "execserver_process_exits_total{outcome=\"failure\"}", "1");
                awaitValue(port, "execserver_process_starts_total{result=\"ok\"}", "2");
                awaitValue(port, "execserver_sessions_open", "1");
                JsonNode rules = query(port, "/api/v1/rules");
                assertThat(rules.findValuesAsText("health")).isNotEmpty();
                await().atMost(LIMIT)
                        .until(() -> query(port, "/api/v1/rules").findValuesAsText("health").stream()
                                .allMatch("ok"::equals));
                assertThat(query(port, "/api/v1/rules").findValuesAsText("lastError"))
                        .allMatch(String::isEmpty);
            }
            awaitValue(port, "up{job=\"exec-server\"}", "0");
            await().atMost(LIMIT)
                    .until(
                            () -> query(port, "/api/v1/rules").findValuesAsText("state"),
                            states -> states.contains("pending") || states.contains("firing"));
        } finally {
            prometheus.destroy();
            assertThat(prometheus.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private Process start(int port) throws IOException {
        return new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + directory.resolve("prometheus.yml"),
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("prometheus.log").toFile())
                .start();
    }

    private void awaitValue(int port, String expression, String value) {
        String path = "/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8);
        await().alias(expression)
                .atMost(LIMIT)
                .ignoreExceptions()
                .until(() ->
                        query(port, path).at("/data/result/0/value/1").asText().equals(value));
    }

    private JsonNode query(int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return Json.parse(http.send(request, BodyHandlers.ofString()).body());
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }
}
