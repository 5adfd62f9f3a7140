package dev.execserver.it.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RawHttpClient;
import dev.execserver.it.support.RawHttpClient.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands over HTTP: the result, output as it comes, input, and the end of the connection. */
@Timeout(120)
class ExecOverHttpIT extends ExecOverHttpTest {
    /** Returns the lines of a body in chunks, without the lines that are not of the content. */
    private static List<String> lines(RawHttpClient http, int count) throws IOException {
        List<String> lines = new ArrayList<>();
        while (lines.size() < count) {
            String line = http.line();
            if (line.startsWith("{") || line.startsWith("event:") || line.startsWith("data:")) {
                lines.add(line);
            }
        }
        return lines;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    // ---- results

    @Test
    void aCommandIsAnsweredWithItsResult() throws IOException {
        JsonNode result = run("{\"command\":[\"sh\",\"-c\",\"echo out; echo err >&2; exit 3\"]}");
        assertThat(result.get("exitCode").asInt()).isEqualTo(3);
        assertThat(result.get("stdout").asText()).isEqualTo("out\n");
        assertThat(result.get("stderr").asText()).isEqualTo("err\n");
        assertThat(result.get("stdoutCapReached").asBoolean()).isFalse();
    }

    @Test
    void membersMeanWhatTheyMeanOnAWebSocket() throws IOException {
        JsonNode capped = run("{\"command\":[\"echo\",\"12345678\"],\"outputBytesCap\":4}");
        assertThat(capped.get("stdout").asText()).isEqualTo("1234");
        assertThat(capped.get("stdoutCapReached").asBoolean()).isTrue();

        JsonNode late = run("{\"command\":[\"sleep\",\"60\"],\"timeoutMs\":100}");
        assertThat(late.get("exitCode").asInt()).isEqualTo(124);
        assertThat(late.get("timedOut").asBoolean()).isTrue();

        JsonNode confined = run("{\"command\":[\"sh\",\"-c\",\"echo x > " + shared.resolve("made") + "\"]}");
        assertThat(confined.get("exitCode").asInt()).isNotZero();
        assertThat(shared.resolve("made")).doesNotExist();

        JsonNode terminal = run("{\"command\":[\"stty\",\"size\"],\"tty\":true,\"size\":{\"rows\":33,\"cols\":44}}");
        assertThat(terminal.get("stdout").asText()).isEqualTo("33 44\r\n");
    }

    @Test
    void oneConnectionRunsOneCommandAfterTheOther() throws IOException {
        try (RawHttpClient http = connect()) {
            for (int i = 0; i < 3; i++) {
                Response response = send(http, HEAD + JSON, "{\"command\":[\"echo\",\"" + i + "\"]}")
                        .response();
                assertThat(Json.parse(response.text()).get("stdout").asText()).isEqualTo(i + "\n");
            }
            Response form = send(http, HEAD + FORM, form("{\"command\":[\"cat\"]}", "last"))
                    .response();
            assertThat(Json.parse(form.text()).get("stdout").asText()).isEqualTo("last");
        }
    }

    // ---- streams

    @Test
    void outputComesAsLinesWhileTheCommandRuns() throws IOException {
        try (RawHttpClient http = connect()) {
            Path flag = shared.resolve("lines");
            String script = "echo first; while ! test -e " + flag + "; do sleep 0.05; done; echo second >&2; exit 4";
            send(
                    http,
                    HEAD + JSON + "|Accept: application/x-ndjson",
                    "{\"command\":[\"sh\",\"-c\",\"" + script + "\"]}");
            assertThat(http.responseHead().header("content-type")).contains("application/x-ndjson");
            assertThat(lines(http, 2))
                    .containsExactly(
                            "{\"started\":{}}",
                            "{\"outputDelta\":{\"stream\":\"stdout\",\"deltaBase64\":\"" + base64("first\n")
                                    + "\",\"capReached\":false}}");
            Files.createFile(flag);
            List<String> rest = lines(http, 2);
            assertThat(rest.getFirst()).contains("\"stderr\"").contains(base64("second\n"));
            assertThat(rest.getLast()).startsWith("{\"result\":{\"exitCode\":4,\"stdout\":\"\",\"stderr\":\"\"");
        }
    }

    @Test
    void outputComesAsEventsAndTheConnectionGoesOn() throws IOException {
        try (RawHttpClient http = connect()) {
            for (int i = 0; i < 2; i++) {
                send(http, HEAD + JSON + "|Accept: text/event-stream", "{\"command\":[\"echo\",\"hi\"]}");
                assertThat(http.responseHead().header("content-type")).contains("text/event-stream");
                assertThat(lines(http, 2)).containsExactly("event: started", "data: {}");
                List<String> lines = lines(http, 4);
                assertThat(lines.get(0)).isEqualTo("event: outputDelta");
                assertThat(lines.get(1))
                        .startsWith("data: {\"stream\":\"stdout\"")
                        .contains(base64("hi\n"));
                assertThat(lines.get(2)).isEqualTo("event: result");
                assertThat(lines.get(3)).startsWith("data: {\"exitCode\":0,");
                while (!http.line().equals("0")) {
                    // the end of the body
                }
                assertThat(http.line()).isEmpty();
            }
        }
    }

    // ---- input

    @Test
    void inputComesWithTheParams() throws IOException {
        assertThat(run("{\"command\":[\"cat\"],\"stdinBase64\":\"" + base64("hällo") + "\"}")
                        .get("stdout")
                        .asText())
                .isEqualTo("hällo");
        assertThat(run("{\"command\":[\"wc\",\"-c\"],\"stdinBase64\":\"\"}")
                        .get("stdout")
                        .asText())
                .isEqualTo("0\n");
        assertThat(run("{\"command\":[\"cat\"]}").get("exitCode").asInt()).isZero();
    }

    @Test
    void longInputWaitsForTheProgramToReadIt() throws IOException {
        String input = "0123456789abcdef".repeat(QUEUE_BYTES);
        Response response = ask(
                HEAD + FORM,
                form("{\"command\":[\"sh\",\"-c\",\"sleep 0.3; md5sum; wc -c\"],\"timeoutMs\":60000}", input));
        assertThat(Json.parse(response.text()).get("stdout").asText()).endsWith("-\n0\n");
        Response counted = ask(HEAD + FORM, form("{\"command\":[\"wc\",\"-c\"],\"timeoutMs\":60000}", input));
        assertThat(Json.parse(counted.text()).get("stdout").asText()).isEqualTo(input.length() + "\n");
    }

    @Test
    void inputInChunksIsGivenOnAsItComes() throws IOException {
        try (RawHttpClient http = connect()) {
            http.head(HEAD + FORM + "|Accept: application/x-ndjson|Transfer-Encoding: chunked");
            String begin = part("params", "{\"command\":[\"cat\"],\"timeoutMs\":60000}")
                    + part("stdin", "typed").stripTrailing();
            http.bytes((Integer.toHexString(begin.length()) + "\r\n" + begin + "\r\n").getBytes(ISO_8859_1));
            int unused = http.responseHead().status();
            assertThat(lines(http, 2).getLast()).contains(base64("typed"));
            String end = "\r\n--B--\r\n";
            http.bytes((Integer.toHexString(end.length()) + "\r\n" + end + "\r\n0\r\n\r\n").getBytes(ISO_8859_1));
            assertThat(lines(http, 1).getFirst()).startsWith("{\"result\":{\"exitCode\":0");
        }
    }

    @Test
    void aCommandThatReadsNoInputIsAnsweredBeforeItHasCome() throws IOException {
        try (RawHttpClient http = connect()) {
            http.head(HEAD + FORM + "|Content-Length: 1000000000");
            http.bytes((part("params", "{\"command\":[\"true\"]}") + part("stdin", "x")).getBytes(ISO_8859_1));
            Response response = http.response();
            assertThat(response.text()).contains("\"exitCode\":0");
            assertThat(response.header("connection")).contains("close");
            assertThat(http.drain()).isZero();
        }
    }

    @Test
    void inputThatCannotBeReadEndsTheCommand() throws IOException {
        String body = part("params", "{\"command\":[\"sleep\",\"47110\"]," + FREE + ",\"timeoutMs\":60000}")
                + part("stdin", "x")
                + part("more", "y")
                + "--B--";
        assertThat(error(ask(HEAD + FORM, body), 400)).contains("more parts");
        awaitGone("47110");
    }

    // ---- the end of the connection

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/x-ndjson"})
    void aClosedConnectionEndsTheCommandWithItsChildren(String accept) throws IOException {
        String seconds = accept.endsWith("x-ndjson") ? "47111" : "47112";
        try (RawHttpClient http = connect()) {
            send(
                    http,
                    HEAD + JSON + "|Accept: " + accept,
                    "{\"command\":[\"sh\",\"-c\",\"setsid sleep " + seconds + " & sleep " + seconds + "\"]," + FREE
                            + ",\"disableTimeout\":true}");
            await().atMost(Duration.ofSeconds(30)).until(() -> sleeping(seconds) == 2);
        }
        awaitGone(seconds);
    }

    @Test
    void aConnectionThatClosesWithinTheInputEndsTheCommand() throws IOException {
        try (RawHttpClient http = connect()) {
            http.head(HEAD + FORM + "|Content-Length: 1000000");
            String params = "{\"command\":[\"sleep\",\"47113\"]," + FREE + ",\"disableTimeout\":true}";
            http.bytes((part("params", params) + part("stdin", "x")).getBytes(ISO_8859_1));
            await().atMost(Duration.ofSeconds(30)).until(() -> sleeping("47113") == 1);
        }
        awaitGone("47113");
    }

    private static long sleeping(String seconds) {
        return ProcessHandle.allProcesses()
                .filter(process -> ProcFs.commandLine(process.pid()).equals(List.of("sleep", seconds)))
                .count();
    }

    private static void awaitGone(String seconds) {
        await().atMost(Duration.ofSeconds(30)).until(() -> sleeping(seconds) == 0);
    }
}
