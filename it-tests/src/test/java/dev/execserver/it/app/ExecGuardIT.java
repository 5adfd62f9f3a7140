package dev.execserver.it.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.RawHttpClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests for commands over HTTP that are refused: who may not, what is wrong, and what is too much. */
@Timeout(120)
class ExecGuardIT extends ExecOverHttpTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "Host: 127.0.0.1; 401; missing",
                "Host: 127.0.0.1|Authorization: Bearer wrong; 401; invalid",
                "Host: localhost|Authorization: Bearer secret; 403; `localhost`",
                "Host: evil.example|Authorization: Bearer secret; 403; evil.example",
                "Host: 127.0.0.1|Authorization: Bearer secret|Origin: null; 403; origin",
                "Host: 127.0.0.1|Authorization: Bearer secret|Sec-Fetch-Site: same-origin; 403; sec-fetch-site"
            })
    void whoMayNotIsToldWhy(String headers, int status, String why) throws IOException {
        Path made = shared.resolve("never");
        String body = "{\"command\":[\"touch\",\"" + made + "\"]," + FREE + "}";
        assertThat(error(ask("POST /v1/exec HTTP/1.1|" + headers + JSON, body), status))
                .contains(why);
        assertThat(made).doesNotExist();
    }

    @Test
    void withoutAuthenticationThereAreNoCommands() throws IOException {
        try (RawHttpClient http = RawHttpClient.connect(open.port())) {
            assertThat(error(send(http, HEAD + JSON, "{\"command\":[\"true\"]}").response(), 403))
                    .contains("commands run over HTTP only with authentication");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"command\":[]}; 400; must not be empty",
                "{\"command\":[\"true\"],\"size\":{\"rows\":1,\"cols\":1}}; 400; requires tty",
                "{\"command\":[\"true\"],\"timeoutMs\":-1}; 400; non-negative",
                "{\"command\":[\"true\"],\"env\":{\"A=B\":\"\"}}; 400; A=B",
                "{\"command\":[\"true\"],\"permissionProfile\":\"none\"}; 400; profile",
                "{\"command\":[\"true\"],\"streamStdoutStderr\":true}; 400; Accept",
                "{\"command\":[\"true\"],\"stdinBase64\":\"*\"}; 400; stdinBase64",
                "{\"command\":\"true\"}; 400; sequence",
                "[]; 400; CommandExecParams",
                "{; 400; no JSON",
                "{\"command\":[\"no-such-program\"]}; 422; No such file",
                "{\"command\":[\"\"]}; 422; missing program",
                "{\"command\":[\"true\"],\"cwd\":\"/no/such/place\"}; 422; No such file"
            })
    void wrongParamsAreRefusedAndTheConnectionGoesOn(String params, int status, String why) throws IOException {
        try (RawHttpClient http = connect()) {
            assertThat(error(send(http, HEAD + JSON, params).response(), status))
                    .contains(why);
            assertThat(send(http, HEAD + JSON, "{\"command\":[\"true\"]}")
                            .response()
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void wrongBodiesAreRefused() throws IOException {
        String good = "{\"command\":[\"true\"]}";
        assertThat(error(ask(HEAD, good), 415)).contains("Content-Type");
        assertThat(error(ask(HEAD + "|Content-Type: multipart/form-data", good), 400))
                .contains("boundary");
        assertThat(error(ask(HEAD + FORM, good), 400)).contains("ends within");
        assertThat(error(ask(HEAD + FORM, part("stdin", "x") + "--B--"), 400)).contains("first part");
        assertThat(error(ask(HEAD + FORM, part("params", good) + part("x", "x") + "--B--"), 400))
                .contains("second part");
        assertThat(error(ask(HEAD + FORM, form("{\"command\":[\"cat\"],\"stdinBase64\":\"\"}", "x")), 400))
                .contains("twice");
        assertThat(error(ask(HEAD + JSON, "{\"command\":[\"" + "x".repeat(1 << 20) + "\"]}"), 413))
                .contains("1048576");
        assertThat(error(ask(HEAD.replace("POST", "GET"), ""), 405)).contains("POST only");
        try (RawHttpClient http = connect()) {
            assertThat(error(http.head(HEAD + JSON).response(), 411)).contains("Content-Length");
        }
    }

    @Test
    void commandsAreLimitedInNumber() throws IOException {
        List<RawHttpClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 64; i++) {
                RawHttpClient http = connect();
                clients.add(http);
                send(
                        http,
                        HEAD + JSON + "|Accept: application/x-ndjson",
                        "{\"command\":[\"sleep\",\"60\"]," + FREE + ",\"disableTimeout\":true}");
                assertThat(http.responseHead().status()).isEqualTo(200);
            }
            assertThat(error(ask(HEAD + JSON, "{\"command\":[\"true\"]}"), 503)).contains("64 commands");
        } finally {
            for (RawHttpClient client : clients) {
                client.close();
            }
        }
        await().atMost(Duration.ofSeconds(30))
                .until(() -> ask(HEAD + JSON, "{\"command\":[\"true\"]}").status() == 200);
    }
}
