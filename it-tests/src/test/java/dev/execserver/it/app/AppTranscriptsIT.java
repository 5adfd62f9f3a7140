package dev.execserver.it.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.AppClient;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Transcript;
import dev.execserver.it.support.VarTmp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The recorded conversations of the app-server dialect, in {@code strict}: each answer, each notification but for chunk
 * borders and times. Intended differences stand in {@link AppTranscriptExceptions}, each with its reason; what is not
 * replayed (18, 20, 22 and 25, whose messages were cut or need another server) is tried by {@link CommandExecIT} and its
 * neighbours.
 */
@Timeout(120)
class AppTranscriptsIT {
    private static final Duration LIMIT = Duration.ofSeconds(40);

    @TempDir(factory = VarTmp.class)
    Path folder;

    private final Map<String, ByteArrayOutputStream> expectedOutput = new HashMap<>();
    private final Set<String> cut = new HashSet<>();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01-buffered",
                "02-param-errors",
                "03-not-initialized-and-experimental-gate",
                "04-stream-pipe-write-close",
                "05-write-errors",
                "06-tty",
                "07-output-caps",
                "08-timeouts",
                "09-terminate",
                "10-background-holder-and-drain",
                "11-ids-and-concurrency",
                "12-sandbox-policies",
                "13-permission-profiles",
                "14-env",
                "15-large-stream",
                "16-process-spawn-family",
                "17-tty-without-sandbox",
                "19-order-and-pipelining",
                "23-stdio-eof-ends-commands",
                "24-terminate-and-setsid"
            })
    void theServerAnswersAsRecorded(String name) throws IOException {
        Path work = Files.createDirectories(folder.resolve("work"));
        Files.createDirectory(work.resolve("sub"));
        Files.writeString(work.resolve("secret.env"), "secret");
        Path home = Files.createDirectory(folder.resolve("home"));
        String file = name.substring(0, 2);
        List<String> arguments = new java.util.ArrayList<>(List.of(
                "--listen",
                "stdio",
                "--protocol",
                "strict",
                "--state-dir",
                folder.resolve("state").toString()));
        arguments.addAll(AppTranscriptExceptions.options(file, folder));
        ServerProcess server = ServerProcess.withOpenStdout(
                List.of(
                        "env",
                        "-i",
                        "-C",
                        work.toString(),
                        "PATH=/usr/local/bin:/usr/bin:/bin",
                        "HOME=" + home,
                        "USER=root",
                        "LANG=C.UTF-8",
                        "SHELL=/bin/bash",
                        "CODEX_HOME=" + folder.resolve("codex")),
                arguments);
        try (AppClient client = AppClient.over(server)) {
            Transcript transcript = Transcript.load(
                    "app/" + name,
                    line -> line.replace("${WORK}", work.toString())
                            .replace("${HOME}", home.toString())
                            .replace("${CODEX_HOME}", folder.resolve("codex").toString()));
            for (Transcript.Line line : transcript.lines()) {
                replay(file, client, line.entry());
            }
        }
    }

    private void replay(String file, AppClient client, JsonNode entry) {
        JsonNode message = entry.get("msg");
        switch (entry.get("dir").textValue()) {
            case "out" -> client.sendText(message.toString());
            case "in" -> {
                if (message.has("id")) {
                    answered(file, client, message);
                } else if (message.get("method").textValue().endsWith("/outputDelta")) {
                    output(file, client, message.get("params"));
                } else {
                    notified(client, message);
                }
            }
            default -> assertThat(entry.get("dir").textValue()).isEqualTo("note");
        }
    }

    private static void answered(String file, AppClient client, JsonNode recorded) {
        JsonNode id = recorded.get("id");
        JsonNode received = client.message(
                message -> !message.has("method") && message.get("id").equals(id));
        JsonNode expected = AppTranscriptExceptions.answer(file, id.asText()).orElse(recorded);
        assertThat(like(expected, received))
                .as("answer %s of %s: expected %s, received %s", id, file, expected, received)
                .isTrue();
    }

    private static void notified(AppClient client, JsonNode recorded) {
        JsonNode received = client.message(message -> message.path("method").equals(recorded.get("method"))
                && message.path("params")
                        .path("processHandle")
                        .equals(recorded.get("params").get("processHandle")));
        assertThat(received.get("emittedAtMs").isIntegralNumber()).isTrue();
        assertThat(received.get("params")).isEqualTo(recorded.get("params"));
    }

    /** Waits for the recorded bytes so far, with any borders. */
    private void output(String file, AppClient client, JsonNode params) {
        String id = params.path("processId").asText(params.path("processHandle").asText());
        String stream = params.get("stream").textValue();
        String key = id + " " + stream;
        if (cut.contains(key) || AppTranscriptExceptions.outputDiffers(file, id)) {
            return;
        }
        String text = params.get("deltaBase64").textValue();
        if (text.contains("…")) { // the recording was shortened
            cut.add(key);
            return;
        }
        ByteArrayOutputStream expected = expectedOutput.computeIfAbsent(key, _ -> new ByteArrayOutputStream());
        expected.writeBytes(Json.bytes(params.get("deltaBase64")));
        await("output of " + key)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() ->
                        assertThat(client.output(id, stream)).startsWith(expected.toString(StandardCharsets.UTF_8)));
        if (params.get("capReached").booleanValue()) {
            await("the cap of " + key)
                    .atMost(LIMIT)
                    .until(() -> client.deltas(id, stream).stream()
                            .anyMatch(delta -> delta.get("capReached").booleanValue()));
        }
    }

    /** Returns true if the messages are equal. A recorded text may be cut, and {@code "*"} stands for anything. */
    private static boolean like(JsonNode expected, JsonNode received) {
        if (expected.isTextual()) {
            String text = expected.textValue();
            int mark = text.indexOf("…[");
            return text.equals("*")
                    || (mark < 0
                            ? expected.equals(received)
                            : received.textValue().startsWith(text.substring(0, mark))
                                    && received.textValue().length()
                                            == Integer.parseInt(text.substring(mark + 2, text.indexOf(' ', mark))));
        }
        if (expected.isObject()) {
            ObjectNode left = expected.deepCopy();
            left.remove("userAgent");
            return received.isObject()
                    && Json.names(left).stream()
                            .allMatch(name -> received.has(name) && like(left.get(name), received.get(name)))
                    && Json.names(received).stream().allMatch(expected::has);
        }
        return expected.equals(received);
    }
}
