package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the listener says to plain HTTP, to browsers and to those without credentials. */
@Timeout(60)
class HttpIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    static Path directory;

    private static ServerProcess guarded;
    private static ServerProcess signed;
    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    @BeforeAll
    static void startGuardedServers() throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "open sesame\n");
        Path secret = Files.writeString(directory.resolve("secret"), SECRET + "\n");
        guarded = ServerProcess.listening("--ws-auth", "capability-token", "--ws-token-file", token.toString());
        signed = ServerProcess.listening(
                "--ws-auth",
                "signed-bearer-token",
                "--ws-shared-secret-file",
                secret.toString(),
                "--ws-issuer",
                "me",
                "--ws-audience",
                "you");
    }

    @AfterAll
    static void stopGuardedServers() {
        guarded.close();
        signed.close();
    }

    @Test
    void readyzIsReady() throws IOException, InterruptedException {
        HttpResponse<String> response = get(SERVER.port(), "/readyz");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
        assertThat(send(SERVER.port(), "/readyz", "HEAD").statusCode()).isEqualTo(200);
    }

    @Test
    void readyzAllowsOnlyGetAndHead() throws IOException, InterruptedException {
        HttpResponse<String> response = send(SERVER.port(), "/readyz", "POST");

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("allow")).hasValue("GET,HEAD");
    }

    @Test
    void healthzAndLivezAnswer() throws IOException, InterruptedException {
        assertThat(get(SERVER.port(), "/healthz").statusCode()).isEqualTo(200);
        assertThat(get(SERVER.port(), "/livez").statusCode()).isEqualTo(200);
    }

    @Test
    void otherPathsAreNotFound() throws IOException, InterruptedException {
        assertThat(get(SERVER.port(), "/etc/passwd").statusCode()).isEqualTo(404);
    }

    @Test
    void theRootWithoutUpgradeIsABadRequest() throws IOException, InterruptedException {
        HttpResponse<String> response = get(SERVER.port(), "/");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body())
                .startsWith("Connection header did not include 'upgrade'\n")
                .contains("This is exec-server", "documentation");
    }

    @Test
    void anOriginHeaderIsForbidden() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(SERVER.port(), "/readyz"))
                .header("Origin", "http://127.0.0.1")
                .build();

        assertThat(HTTP.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(403);
        assertThatThrownBy(() -> WireClient.connect(SERVER.port(), Map.of("Origin", "null")))
                .hasMessageContaining("403");
    }

    @Test
    void theRightTokenOpens() {
        try (WireClient client = WireClient.connect(guarded.port(), Map.of("Authorization", "bearer open sesame"))) {
            client.handshake();
            client.roundTrip();
        }
    }

    @Test
    void noTokenAndAWrongTokenAreUnauthorized() {
        assertThatThrownBy(() -> WireClient.connect(guarded.port())).hasMessageContaining("401");
        assertThatThrownBy(() -> WireClient.connect(guarded.port(), Map.of("Authorization", "Bearer open")))
                .hasMessageContaining("401");
    }

    @Test
    void readyzNeedsNoToken() throws IOException, InterruptedException {
        assertThat(get(guarded.port(), "/readyz").statusCode()).isEqualTo(200);
    }

    @Test
    void aSignedTokenOpens() throws GeneralSecurityException {
        String claims = claims("me", "\"you\"", 60);
        try (WireClient client = WireClient.connect(signed.port(), bearer("HS256", claims, SECRET))) {
            client.handshake();
            client.roundTrip();
        }
    }

    @Test
    void anAudienceMayBeAListAndTheClockMayBe10SecondsOff() throws GeneralSecurityException {
        String claims = claims("me", "[\"others\",\"you\"]", -10);
        try (WireClient client = WireClient.connect(signed.port(), bearer("HS256", claims, SECRET))) {
            client.handshake();
        }
    }

    @Test
    void signedTokensThatDoNotFitAreUnauthorized() throws GeneralSecurityException {
        refused(bearer("HS256", claims("me", "\"you\"", 60), "another secret, also of 32 bytes."));
        refused(bearer("HS256", claims("you", "\"you\"", 60), SECRET));
        refused(bearer("HS256", claims("me", "\"me\"", 60), SECRET));
        refused(bearer("HS256", claims("me", "\"you\"", -60), SECRET));
        refused(bearer("HS256", "{\"iss\":\"me\",\"aud\":\"you\"}", SECRET));
        refused(bearer("none", claims("me", "\"you\"", 60), SECRET));
        refused(Map.of("Authorization", "Bearer not.a.token"));
    }

    private static void refused(Map<String, String> headers) {
        assertThatThrownBy(() -> WireClient.connect(signed.port(), headers)).hasMessageContaining("401");
    }

    private static String claims(String issuer, String audience, long secondsFromNow) {
        return "{\"iss\":\"" + issuer + "\",\"aud\":" + audience + ",\"exp\":"
                + Instant.now().plusSeconds(secondsFromNow).getEpochSecond() + "}";
    }

    private static Map<String, String> bearer(String algorithm, String claims, String secret)
            throws GeneralSecurityException {
        String text = base64Url("{\"alg\":\"" + algorithm + "\",\"typ\":\"JWT\"}") + "." + base64Url(claims);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        return Map.of(
                "Authorization",
                "Bearer " + text + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature));
    }

    private static String base64Url(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return send(port, path, "GET");
    }

    private static HttpResponse<String> send(int port, String path, String method)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(port, path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(int port, String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }
}
