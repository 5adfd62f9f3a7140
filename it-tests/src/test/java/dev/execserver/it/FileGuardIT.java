package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.FileTransferTest;
import dev.execserver.it.support.RawHttpClient;
import dev.execserver.it.support.RawHttpClient.Response;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may touch files over HTTP, and what is no request for a file. */
@Timeout(120)
class FileGuardIT extends FileTransferTest {

    @Test
    void withoutAuthenticationThereAreNoFiles() throws IOException {
        try (RawHttpClient http = RawHttpClient.connect(open.port())) {
            JsonNode error = error(http.head(line("GET", file("x"))).response(), 403);
            assertThat(error.get("message").asText()).contains("start the server with --ws-auth");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "Host: 127.0.0.1; 401; missing",
                "Host: 127.0.0.1|Authorization: Bearer wrong; 401; invalid",
                "Host: localhost|Authorization: Bearer secret; 403; `localhost`",
                "Host: localhost:80|Authorization: Bearer secret; 403; --allowed-hosts",
                "Host: 127.1|Authorization: Bearer secret; 403; `127.1`",
                "Host: 2130706433|Authorization: Bearer secret; 403; 2130706433",
                "Host: 127.0.0.1.evil.example|Authorization: Bearer secret; 403; evil.example",
                "Host: 127.0.0.1|Authorization: Bearer secret|Origin: null; 403; origin",
                "Host: 127.0.0.1|Authorization: Bearer secret|Sec-Fetch-Site: same-origin; 403; sec-fetch-site",
                "Host: 127.0.0.1|Authorization: Bearer secret|Exec-Server-Session: s; 404; no session s",
                "Host: 127.0.0.1|Authorization: Bearer secret|Exec-Server-Session: a|Exec-Server-Session: b; 400; once",
                "Host: 127.0.0.1|Authorization: Bearer secret|Exec-Server-Sandbox: {; 400; no JSON",
                "Host: 127.0.0.1|Authorization: Bearer secret|Exec-Server-Sandbox: {}; 400; permissions"
            })
    void whoeverMayNotIsToldWhy(String headers, int status, String why) throws IOException {
        Path file = file("x");
        for (String method : List.of("GET", "PUT")) {
            String more = method.equals("PUT") ? "|Content-Length: 0" : "";
            Response response = ask(method + " /files?path=" + file + " HTTP/1.1|" + headers + more);
            assertThat(error(response, status).get("message").asText()).contains(why);
            assertThat(response.header("www-authenticate").isPresent()).isEqualTo(status == 401);
        }
        assertThat(file).hasContent("x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.1:4000", "[::1]:80", "box.example", "BOX.example:1"})
    void literalAddressesAndAllowedNamesMay(String host) throws IOException {
        Response response =
                ask("GET /files?path=" + file("x") + " HTTP/1.1|Host: " + host + "|Authorization: Bearer secret");
        assertThat(response.status()).isEqualTo(200);
    }

    @Test
    void webPagesAreRefusedWhateverTheOriginGuardSays() throws IOException {
        try (RawHttpClient http = RawHttpClient.connect(hasty.port())) {
            assertThat(http.head(line("GET", file("x")) + "|Origin: http://127.0.0.1")
                            .response()
                            .status())
                    .isEqualTo(403);
        }
    }

    @Test
    void oddRequestsAreRefused() throws IOException {
        String path = file("x").toString();
        assertThat(error(ask("GET /files HTTP/1.1" + AUTH), 400).get("message").asText())
                .contains("/files?path=");
        assertThat(ask("GET /files?path=x HTTP/1.1" + AUTH).status()).isEqualTo(400);
        assertThat(ask("GET /files?path=" + path + "&session=s HTTP/1.1" + AUTH).status())
                .isEqualTo(400);
        // Without the fragment the path would name another file.
        Response fragment = ask("GET /files?path=" + path + "#1 HTTP/1.1" + AUTH);
        assertThat(fragment.status()).isEqualTo(400);
        assertThat(fragment.text()).contains("%23");
        assertThat(ask("GET /files/?path=" + path + " HTTP/1.1" + AUTH).status())
                .isEqualTo(404);
        Response method = ask("DELETE /files?path=" + path + " HTTP/1.1" + AUTH);
        assertThat(error(method, 405).get("message").asText()).contains("DELETE");
        assertThat(method.header("allow")).contains("GET,HEAD,PUT");
        assertThat(ask("GET /files?path=file://" + path + " HTTP/1.1" + AUTH).text())
                .isEqualTo("x");
    }
}
