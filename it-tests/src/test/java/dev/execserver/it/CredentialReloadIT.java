package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.AccessLogFile;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SelfSigned;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens and certificates that change while the server runs: no program ends, and no connection. */
@Timeout(120)
class CredentialReloadIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private Path token;
    private AccessLogFile log;

    @BeforeEach
    void make() throws IOException {
        token = Files.writeString(directory.resolve("token"), "old-token");
        log = new AccessLogFile(directory.resolve("access.log"));
    }

    private ServerProcess server(String... more) {
        return log.server(List.of("--ws-auth", "capability-token", "--ws-token-file", token.toString()), List.of(more));
    }

    private void replaceToken(String text) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), text);
        Files.move(next, token, StandardCopyOption.ATOMIC_MOVE);
    }

    private static boolean admitted(ServerProcess server, String token) {
        try (WireClient client = connect(server, token)) {
            client.handshake();
            return true;
        } catch (RuntimeException refused) {
            return false;
        }
    }

    private static WireClient connect(ServerProcess server, String token) {
        return WireClient.connect(server.port(), Map.of("Authorization", "Bearer " + token));
    }

    @Test
    void aReplacedTokenIsInForceAndProgramsAndConnectionsGoOn() throws IOException {
        try (ServerProcess server = server();
                WireClient client = connect(server, "old-token")) {
            client.handshake();
            RemoteProcess process = client.start(Start.of("cat").stdin());
            replaceToken("new-token");
            await().atMost(LIMIT).until(() -> admitted(server, "new-token"));
            assertThat(admitted(server, "old-token")).isFalse();
            process.write("still here\n");
            process.awaitText("still here");
            JsonNode line = log.await("credentials.reloaded");
            assertThat(line.get("execserver.credential.name").asText()).isEqualTo("--ws-token-file");
            assertThat(log.text()).doesNotContain("old-token", "new-token");
        }
    }

    @Test
    void bothTokensAreAcceptedDuringTheOverlap() throws IOException {
        try (ServerProcess server = server("--credential-overlap", "1h")) {
            replaceToken("new-token");
            await().atMost(LIMIT).until(() -> admitted(server, "new-token"));
            assertThat(admitted(server, "old-token")).isTrue();
            assertThat(admitted(server, "another")).isFalse();
            replaceToken("third-token");
            await().atMost(LIMIT).until(() -> admitted(server, "third-token"));
            assertThat(admitted(server, "new-token")).isTrue();
            assertThat(admitted(server, "old-token")).as("two replacements ago").isFalse();
        }
    }

    @Test
    void aFileThatIsNoTokenChangesNothingAndIsReported() throws IOException {
        try (ServerProcess server = server()) {
            Files.writeString(token, "two\nlines");
            JsonNode line = log.await("credentials.reloaded");
            assertThat(line.get("severity_text").asText()).isEqualTo("WARN");
            assertThat(line.get("error.message").asText()).contains("has a line break inside");
            server.awaitStderr("what was read before stays in force");
            assertThat(admitted(server, "old-token")).isTrue();
            Files.delete(token);
            server.awaitStderr("No such file or directory");
            assertThat(admitted(server, "old-token")).isTrue();
            replaceToken("new-token");
            await().atMost(LIMIT).until(() -> admitted(server, "new-token"));
        }
    }

    @Test
    void aHangupReloadsAServerWithoutATerminalAndDoesNotEndIt() throws Exception {
        try (ServerProcess server = ServerProcess.listening(
                List.of("setsid"),
                Map.of(),
                "--log-level",
                "info",
                "--ws-auth",
                "capability-token",
                "--ws-token-file",
                token.toString())) {
            try (WireClient client = connect(server, "old-token")) {
                client.handshake();
                RemoteProcess process = client.start(Start.of("cat").stdin());
                signal(server, "HUP");
                server.awaitStderr("SIGHUP: reading credentials again");
                replaceToken("new-token");
                signal(server, "HUP");
                await().atMost(LIMIT).until(() -> admitted(server, "new-token"));
                process.write("still here\n");
                process.awaitText("still here");
            }
            assertThat(server.stop()).isZero();
        }
    }

    @Test
    void theNewTokenIsHiddenFromSandboxedCommandsThatStartLater() throws IOException {
        try (ServerProcess server = server()) {
            replaceToken("new-token");
            await().atMost(LIMIT).until(() -> admitted(server, "new-token"));
            try (WireClient client = connect(server, "new-token")) {
                client.handshake();
                RemoteProcess process = client.start(Start.shell("cat " + token + "; echo done")
                        .with("sandbox", Json.object("permissions", Json.parse("""
                                                {"type":"managed","fileSystem":{"type":"restricted","entries":[
                                                  {"path":{"type":"special","value":{"kind":"root"}},"access":"read"}]},
                                                 "network":"restricted"}
                                                """))));
                process.closed();
                assertThat(process.text()).contains("done").doesNotContain("new-token");
            }
        }
    }

    @Test
    void aReplacedCertificateIsShownToNewConnections() throws Exception {
        SelfSigned first = SelfSigned.make(directory, "first");
        SelfSigned second = SelfSigned.make(directory, "second");
        Path certificate = directory.resolve("cert.pem");
        Path key = directory.resolve("key.pem");
        first.write(certificate, key);
        try (ServerProcess server =
                log.server(List.of("--tls-cert", certificate.toString(), "--tls-key", key.toString()), List.of())) {
            assertThat(greeted(server, first.trusting())).isTrue();
            try (SSLSocket open = socket(server, first.trusting())) {
                open.startHandshake();
                second.write(certificate, key);
                await().atMost(LIMIT).until(() -> greeted(server, second.trusting()));
                assertThat(greeted(server, first.trusting())).isFalse();
                assertThat(health(open)).as("the open connection goes on").startsWith("HTTP/1.1 200");
            }
            assertThat(log.await("credentials.reloaded")
                            .get("execserver.credential.name")
                            .asText())
                    .isEqualTo("--tls-cert, --tls-key");
            Files.writeString(key, "no key");
            server.awaitStderr("what was read before stays in force");
            assertThat(greeted(server, second.trusting())).isTrue();
        }
    }

    private static SSLSocket socket(ServerProcess server, SSLContext trusting) throws IOException {
        SSLSocket socket = (SSLSocket) trusting.getSocketFactory().createSocket("127.0.0.1", server.port());
        socket.setSoTimeout((int) LIMIT.toMillis());
        return socket;
    }

    private static boolean greeted(ServerProcess server, SSLContext trusting)
            throws IOException, GeneralSecurityException {
        try (SSLSocket socket = socket(server, trusting)) {
            return health(socket).startsWith("HTTP/1.1 200");
        } catch (SSLException untrusted) {
            return false;
        }
    }

    private static String health(SSLSocket socket) throws IOException {
        socket.getOutputStream().write("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(UTF_8));
        return new String(socket.getInputStream().readNBytes(12), UTF_8);
    }

    private static void signal(ServerProcess server, String name) throws Exception {
        assertThat(new ProcessBuilder("bash", "-c", "kill -" + name + " " + server.pid())
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void aSecondSignalEndsAServerThatStillWaitsForItsPrograms() throws Exception {
        try (ServerProcess server = ServerProcess.listening("--shutdown-grace", "1h");
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            RemoteProcess process =
                    client.start(Start.shell("trap 'echo BYE' TERM; echo up; while :; do sleep 0.05; done"));
            process.awaitText("up");
            signal(server, "TERM");
            process.awaitText("BYE");
            await().atMost(LIMIT).pollInterval(Duration.ofMillis(500)).until(() -> {
                if (server.alive()) {
                    signal(server, "TERM");
                }
                return !server.alive();
            });
            assertThat(server.exitStatus()).isEqualTo(1);
        }
    }
}
