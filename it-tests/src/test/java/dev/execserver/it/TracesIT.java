package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.AccessLogFile;
import dev.execserver.it.support.OtlpCollector;
import dev.execserver.it.support.OtlpCollector.Span;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Traces of requests and commands, sent to a collector that the environment names. */
@Timeout(180)
class TracesIT {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String OTHER_TRACE = "1af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";

    @TempDir(factory = VarTmp.class)
    private Path base;

    private static ServerProcess server(Map<String, String> environment, String... options) {
        return ServerProcess.listening(List.of(), environment, options);
    }

    private static Map<String, String> environment(String endpoint) {
        return Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT", endpoint,
                "OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Bearer%20collector-key",
                "OTEL_BSP_SCHEDULE_DELAY", "100");
    }

    private static Map<String, String> parent(String traceId) {
        return Map.of("traceparent", "00-" + traceId + "-" + CALLER + "-01");
    }

    private static Span await(OtlpCollector collector, String name, String traceId) {
        return Awaitility.await(name)
                .atMost(LIMIT)
                .until(() -> collector.find(name, traceId), Optional::isPresent)
                .orElseThrow();
    }

    @Test
    void aCommandHasSpansInTheTraceOfItsClientAndTheAccessLogNamesThem() {
        Path file = base.resolve("access.log");
        try (SandboxScene scene = new SandboxScene();
                OtlpCollector collector = new OtlpCollector();
                ServerProcess server = server(
                        environment(collector.endpoint()),
                        "--access-log",
                        "json",
                        "--access-log-file",
                        file.toString());
                WireClient client = WireClient.connect(server.port(), parent(TRACE))) {
            client.handshake();
            RemoteProcess process = client.start(scene.shell("exit 3"));
            assertThat(process.exited().exitCode()).isEqualTo(3);
            process.closed();

            Span start = await(collector, "process/start", TRACE);
            assertThat(start.parent()).isEqualTo(CALLER);
            for (String step : List.of("policy", "sandbox", "spawn", "run", "drain")) {
                assertThat(await(collector, step, TRACE).parent()).as(step).isEqualTo(start.spanId());
            }
            for (String kind : List.of("process.started", "process.exited")) {
                JsonNode line = new AccessLogFile(file).await(kind);
                assertThat(line.get("trace_id").asText()).isEqualTo(TRACE);
                assertThat(line.get("span_id").asText()).isEqualTo(start.spanId());
            }
        }
    }

    @Test
    void theTraceOfTheEnvelopeGoesBeforeThatOfTheConnectionAndAFailureIsMarked() {
        try (OtlpCollector collector = new OtlpCollector();
                ServerProcess server = server(environment(collector.endpoint()));
                WireClient client = WireClient.connect(server.port(), parent(TRACE))) {
            client.handshake();
            client.sendText("{\"id\":77,\"method\":\"process/read\",\"trace\":{\"traceparent\":\""
                    + parent(OTHER_TRACE).get("traceparent")
                    + "\"},\"params\":{\"processId\":\"nobody\",\"afterSeq\":0,\"maxBytes\":1,\"waitMs\":0}}");

            Span read = await(collector, "process/read", OTHER_TRACE);
            assertThat(read.failed()).isTrue();
            assertThat(read.parent()).isEqualTo(CALLER);
        }
    }

    @Test
    void aCommandOverHttpIsTracedAndNoCommandSeesTheKeyOfTheCollector() throws Exception {
        Path token = Files.writeString(base.resolve("token"), "secret");
        try (OtlpCollector collector = new OtlpCollector();
                HttpClient http = HttpClient.newHttpClient();
                ServerProcess server = server(
                        environment(collector.endpoint()),
                        "--ws-auth",
                        "capability-token",
                        "--ws-token-file",
                        token.toString())) {
            String answer = http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/v1/exec"))
                                    .header("Authorization", "Bearer secret")
                                    .header("Content-Type", "application/json")
                                    .header("traceparent", parent(TRACE).get("traceparent"))
                                    .POST(BodyPublishers.ofString("{\"command\":[\"env\"]}"))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
            assertThat(answer).contains("OTEL_EXPORTER_OTLP_ENDPOINT").doesNotContain("collector-key");

            Span exec = await(collector, "command/exec", TRACE);
            assertThat(exec.parent()).isEqualTo(CALLER);
            assertThat(await(collector, "run", TRACE).parent()).isEqualTo(exec.spanId());
            assertThat(collector.authorizations()).contains("Bearer collector-key");
        }
    }

    @Test
    void aCollectorThatIsNotThereHarmsNothing() {
        try (ServerProcess server = server(environment("http://127.0.0.1:1"));
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            List<RemoteProcess> processes = Stream.generate(() -> client.start(Start.shell("echo out")))
                    .limit(100)
                    .toList();
            assertThat(processes).allSatisfy(process -> {
                process.closed();
                assertThat(process.text()).isEqualTo("out\n");
            });
            Awaitility.await()
                    .atMost(LIMIT)
                    .untilAsserted(() -> assertThat(server.stderr()).contains("tracing: Failed to export "));
            assertThat(server.stderr()).doesNotContain("\tat ");
            assertThat(server.stop()).isZero();
        }
    }

    @Test
    void settingsThatCannotBeUsedStopTheStart() {
        try (ServerProcess server = ServerProcess.launched(
                List.of(), Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "no-url"), "--listen", "stdio")) {
            assertThat(server.exitStatus()).isEqualTo(1);
            assertThat(server.stderr()).contains("OTEL_").contains("no-url");
        }
    }
}
