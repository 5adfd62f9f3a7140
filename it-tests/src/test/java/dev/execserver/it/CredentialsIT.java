package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Secrets that are no text, those who fail to show one, and whose sessions are whose. */
@Timeout(120)
class CredentialsIT {
    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    @TempDir
    private Path directory;

    private Path secret(String name, byte[] content) throws IOException {
        Path file = Files.write(directory.resolve(name), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private static String base64Url(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static Map<String, String> bearer(String claims, byte[] key) throws Exception {
        String text = base64Url("{\"alg\":\"HS256\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + base64Url(claims.getBytes(StandardCharsets.UTF_8));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return Map.of(
                "Authorization",
                "Bearer " + text + "." + base64Url(mac.doFinal(text.getBytes(StandardCharsets.US_ASCII))));
    }

    private static Map<String, String> subject(String name) throws Exception {
        String member = name.isEmpty() ? "" : ",\"sub\":\"" + name + "\"";
        return bearer("{\"exp\":99999999999" + member + "}", SECRET.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void c103_aTokenThatIsNoTextIsRefusedAtTheStart() throws IOException {
        Path token = secret("token", HexFormat.of().parseHex("8fa1b2c3d4e5f6978899aabb"));
        try (ServerProcess refused =
                ServerProcess.launched("--ws-auth", "capability-token", "--ws-token-file", token.toString())) {
            assertThat(refused.exitStatus()).isEqualTo(1);
            assertThat(refused.stderr())
                    .startsWith(
                            "Error: websocket auth secret " + token + " is no token: byte 1 is not printable ASCII");
        }
    }

    @Test
    void c103_aKeyIsTheBytesOfItsFile() throws Exception {
        byte[] key = new byte[40];
        Arrays.fill(key, (byte) 0xff);
        try (ServerProcess server = ServerProcess.listening(
                "--ws-auth",
                "signed-bearer-token",
                "--ws-shared-secret-file",
                secret("key", key).toString())) {
            String claims = "{\"exp\":99999999999}";
            Map<String, String> guessed = bearer(claims, "\ufffd".repeat(40).getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> WireClient.connect(server.port(), guessed)).hasMessageContaining("401");
            try (WireClient client = WireClient.connect(server.port(), bearer(claims, key))) {
                client.handshake();
                client.roundTrip();
            }
        }
    }

    @Test
    void c109_failedAuthenticationLeavesALineWithAddressAndReason() throws Exception {
        try (ServerProcess server = ServerProcess.listening(
                "--log-level",
                "info",
                "--ws-auth",
                "capability-token",
                "--ws-token-file",
                secret("token", "open-sesame".getBytes(StandardCharsets.US_ASCII))
                        .toString())) {
            // At once, because each waits for its refusal.
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> refused = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    Map<String, String> wrong = Map.of("Authorization", "Bearer wrong" + i);
                    refused.add(threads.submit(() -> assertThatThrownBy(() -> WireClient.connect(server.port(), wrong))
                            .hasMessageContaining("401")));
                }
                for (Future<?> one : refused) {
                    one.get(60, TimeUnit.SECONDS);
                }
            }
            server.awaitStderr("WARN RefusalLog - a request was refused from 127.0.0.1:");
            assertThat(server.stderr().lines().filter(line -> line.contains("RefusalLog")))
                    .hasSizeBetween(2, 40)
                    .allMatch(line -> line.contains(": 401 invalid websocket bearer token (GET / HTTP/1.1)"));
            assertThat(server.stderr()).doesNotContain("wrong1", "open-sesame");
        }
    }

    @Test
    void c109_theSumOfRefusalsIsLoggedWhenTheServerEndsEarlier() throws Exception {
        try (ServerProcess server = ServerProcess.listening()) {
            for (int i = 0; i < 3; i++) {
                Map<String, String> page = Map.of("Origin", "http://page.example");
                assertThatThrownBy(() -> WireClient.connect(server.port(), page))
                        .hasMessageContaining("403");
            }
            // Process.destroy would close stderr too.
            assertThat(ProcessHandle.of(server.pid()).orElseThrow().destroy()).isTrue();
            server.awaitStderr(" requests were refused within ");
            assertThat(server.stderr())
                    .contains(": 403 it has an Origin header (GET / HTTP/1.1)")
                    .containsPattern(
                            "WARN RefusalLog - 3 requests were refused within \\d+ s, the last one from 127.0.0.1:");
        }
    }

    @Test
    void c109_aMalformedRequestLeavesALine() throws Exception {
        try (ServerProcess server = ServerProcess.listening("--log-level", "info");
                Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream().write("GET /\u001b[2J\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .contains("400 Bad Request", "malformed HTTP request");
            server.awaitStderr("400 malformed HTTP request (GET /\\x1b[2J)");
        }
    }

    @Test
    void c114_secretsThatOthersMayReadAreNamedAtTheStart() throws Exception {
        Path token = secret("token", "open-sesame".getBytes(StandardCharsets.US_ASCII));
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-rw-rw-"));
        try (ServerProcess server =
                ServerProcess.listening("--ws-auth", "capability-token", "--ws-token-file", token.toString())) {
            server.awaitStderr(
                    "--ws-token-file " + token + " can be changed by every user of this machine (mode 0666)");
            server.awaitStderr("--ws-token-file " + token + " is a secret that every user");
        }
    }

    @Test
    void aPrincipalFindsAndObservesItsOwnSessionsOnly() throws Exception {
        try (ServerProcess server = ServerProcess.listening(
                        "--ws-auth",
                        "signed-bearer-token",
                        "--ws-shared-secret-file",
                        secret("key", SECRET.getBytes(StandardCharsets.US_ASCII))
                                .toString());
                WireClient alice = WireClient.connect(server.port(), subject("alice"));
                WireClient bob = WireClient.connect(server.port(), subject("bob"));
                WireClient nobody = WireClient.connect(server.port(), subject(""))) {
            String hers = alice.handshake().path("sessionId").asText();
            String nobodys = nobody.handshake().path("sessionId").asText();
            String process = alice.start(Start.of("sleep", "1000")).id();
            bob.handshake();
            assertThat(alice.call("session/list").result().findValuesAsText("sessionId"))
                    .containsExactly(hers);
            assertThat(bob.call("session/list").result().findValuesAsText("sessionId"))
                    .doesNotContain(hers, nobodys);
            assertThat(nobody.call("session/list").result().findValuesAsText("sessionId"))
                    .containsExactly(nobodys);
            for (String method : new String[] {"session/observe", "process/wait"}) {
                assertThat(bob.call(method, "sessionId", hers, "processId", process, "until", Json.object("exit", true))
                                .errorMessage())
                        .isEqualTo("unknown session id " + hers);
            }
        }
    }

    @Test
    void aSessionBelongsToTheSubjectOfItsToken() throws Exception {
        try (ServerProcess server = ServerProcess.listening(
                "--ws-auth",
                "signed-bearer-token",
                "--ws-shared-secret-file",
                secret("key", SECRET.getBytes(StandardCharsets.US_ASCII)).toString())) {
            String mine;
            try (WireClient alice = WireClient.connect(server.port(), subject("alice"))) {
                mine = alice.handshake().path("sessionId").asText();
                for (String other : new String[] {"bob", ""}) {
                    try (WireClient bob = WireClient.connect(server.port(), subject(other))) {
                        refused(bob, mine, false);
                        refused(bob, mine, true);
                    }
                    assertThat(files(server.port(), subject(other), mine)).isEqualTo(404);
                }
                assertThat(files(server.port(), subject("alice"), mine)).isEqualTo(200);
            }
            try (WireClient alice = WireClient.connect(server.port(), subject("alice"))) {
                assertThat(resume(alice, mine, true).failed()).isFalse();
            }
            try (WireClient nobody = WireClient.connect(server.port(), subject(""))) {
                String open = nobody.handshake().path("sessionId").asText();
                try (WireClient alice = WireClient.connect(server.port(), subject("alice"))) {
                    assertThat(resume(alice, open, true).failed()).isFalse();
                }
            }
        }
    }

    private static void refused(WireClient client, String session, boolean takeover) {
        Answer answer = resume(client, session, takeover);
        assertThat(answer.errorCode()).isEqualTo(-32600);
        assertThat(answer.errorMessage()).isEqualTo("unknown session id " + session);
    }

    private static Answer resume(WireClient client, String session, boolean takeover) {
        return client.call("initialize", "clientName", "t", "resumeSessionId", session, "takeover", takeover);
    }

    private static int files(int port, Map<String, String> token, String session) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + port + "/files?path=/etc/passwd"))
                    .header("Exec-Server-Session", session);
            token.forEach(request::header);
            return http.send(request.build(), BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void c112_whoNeverInitializesIsDisconnected() {
        try (ServerProcess server = ServerProcess.listening(
                        "--request-timeout", "1s", "--max-connections", "2", "--ping-interval", "300ms");
                WireClient greeted = WireClient.connect(server.port());
                WireClient silent = WireClient.connect(server.port())) {
            greeted.handshake();
            WireClient.Ending ending = silent.ending(Duration.ofSeconds(30));
            assertThat(ending.code()).isEqualTo(1008);
            assertThat(ending.reason()).isEqualTo("no initialize within 1 s; see --request-timeout");
            try (WireClient next = WireClient.connect(server.port())) {
                next.handshake();
            }
            greeted.roundTrip();
        }
    }
}
