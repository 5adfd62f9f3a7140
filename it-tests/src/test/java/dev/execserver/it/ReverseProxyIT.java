package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.files.FileTransfers.Download;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.it.support.AccessLogFile;
import dev.execserver.it.support.FrontProxy;
import dev.execserver.it.support.SelfSigned;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.protocol.paths.PathUri;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server below {@code /exec} of a proxy that ends TLS and drops connections that are idle for two seconds. */
@Timeout(180)
class ReverseProxyIT {
    private static final String TOKEN = "of-some-length-0123456789abcdef";
    private static final int PROXY_TIMEOUT_SECONDS = 2;
    private static final String STRANGER = "203.0.113.77";

    @TempDir
    private static Path folder;

    private static AccessLogFile log;
    private static SelfSigned pair;
    private static ServerProcess server;

    @BeforeAll
    static void start() throws Exception {
        pair = SelfSigned.make(folder, "proxy");
        Path token = Files.writeString(folder.resolve("token"), TOKEN);
        log = new AccessLogFile(folder.resolve("access.log"));
        server = log.server(
                List.of(
                        "--ws-auth",
                        "capability-token",
                        "--ws-token-file",
                        token.toString(),
                        "--ping-interval",
                        "500ms"),
                List.of("--base-path", "/exec", "--trusted-proxies", "127.0.0.1,10.0.0.0/8", "--peer-timeout", "60s"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nginx", "haproxy"})
    void aCommandThatSaysNothingForLongerThanTheProxyWaitsKeepsItsConnection(String program) throws Exception {
        try (FrontProxy proxy = FrontProxy.start(program, folder, server.port(), pair, PROXY_TIMEOUT_SECONDS);
                ExecServerClient client = ExecServerClient.connect(through(proxy))) {
            String connection = log.await("session.started", "execserver.client.name", "behind-" + proxy.port())
                    .get("execserver.connection.id")
                    .asText();

            try (RemoteProcess process = client.start(ProcessSpec.of("sh", "-c", "sleep 5; echo awake"))) {
                assertThat(new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8))
                        .isEqualTo("awake\n");
                assertThat(process.waitFor()).isEqualTo(new Outcome.Exited(0, Optional.empty()));
            }

            assertThat(log.lines("connection.closed"))
                    .noneMatch(line ->
                            line.get("execserver.connection.id").asText().equals(connection));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nginx", "haproxy"})
    void filesGoThroughUnchanged(String program) throws Exception {
        byte[] content = new byte[5_000_000];
        new Random(7).nextBytes(content);
        try (FrontProxy proxy = FrontProxy.start(program, folder, server.port(), pair, PROXY_TIMEOUT_SECONDS);
                ExecServerClient client = ExecServerClient.connect(through(proxy))) {
            PathUri target =
                    PathUri.ofNative(folder.resolve("uploaded-" + program).toString());
            Path source = Files.write(folder.resolve("source"), content);

            String unused = client.transfers().upload(source, target);
            try (Download download = client.transfers().open(target);
                    InputStream in = download.content()) {
                assertThat(in.readAllBytes()).isEqualTo(content);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nginx", "haproxy"})
    void theLogNamesTheClientAndItsProxyAndNotWhatTheClientHasClaimed(String program) throws Exception {
        try (FrontProxy proxy = FrontProxy.start(program, folder, server.port(), pair, PROXY_TIMEOUT_SECONDS)) {
            HttpResponse<String> refused = get(
                    "https://127.0.0.1:" + proxy.port() + "/exec/files?path=%2F" + program,
                    "X-Forwarded-For",
                    STRANGER);
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(401);

            JsonNode line = log.await("connection.refused", "execserver.http.request_line", "GET /exec/files?...");
            // The proxy and this client are on one machine, so the stranger is the first that is no trusted proxy.
            assertThat(line.get("client.address").asText()).isEqualTo(STRANGER);
            assertThat(line.get("network.peer.address").asText()).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void theBasePathIsPartOfTheAddressAndNothingElseIsFound() throws Exception {
        assertThat(server.url().getPath()).isEqualTo("/exec");
        String root = "http://127.0.0.1:" + server.port();

        assertThat(get(root + "/exec/readyz").statusCode()).isEqualTo(200);
        assertThat(get(root + "/readyz").statusCode()).isEqualTo(200);
        assertThat(get(root + "/exec").body()).contains("This is exec-server");
        assertThat(get(root + "/exec/").body()).contains("This is exec-server");
        assertThat(get(root + "/").statusCode()).isEqualTo(404);
        assertThat(get(root + "/files?path=%2F").statusCode()).isEqualTo(404);
        assertThat(get(root + "/executor").statusCode()).isEqualTo(404);
        assertThatThrownBy(() -> ExecServerClient.connect(ClientOptions.url("ws://127.0.0.1:" + server.port())
                        .bearerToken(TOKEN)
                        .build()))
                .hasMessageContaining("404");
    }

    @Test
    void aPeerThatIsNoTrustedProxyCannotNameAnotherClient() throws Exception {
        AccessLogFile own = new AccessLogFile(folder.resolve("own.log"));
        try (ServerProcess alone = own.server(
                List.of("--ws-auth", "capability-token"),
                List.of("--ws-token-sha256", "00".repeat(32), "--trusted-proxies", "10.0.0.0/8"))) {
            get("http://127.0.0.1:" + alone.port() + "/files?path=%2F", "X-Forwarded-For", STRANGER);

            JsonNode line = own.await("connection.refused");
            assertThat(line.get("client.address").asText()).isEqualTo("127.0.0.1");
            assertThat(line.has("network.peer.address")).isFalse();
        }
    }

    private static ClientOptions through(FrontProxy proxy) throws Exception {
        return ClientOptions.url("wss://127.0.0.1:" + proxy.port() + "/exec")
                .bearerToken(TOKEN)
                .clientName("behind-" + proxy.port())
                .sslContext(pair.trusting())
                .build();
    }

    private static HttpResponse<String> get(String url, String... header) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        if (header.length > 0) {
            request.headers(header);
        }
        try (HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(pair.trusting())
                .build()) {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(url, e);
        }
    }
}
