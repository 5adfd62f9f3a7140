package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** From the command line to the last descendant: starting, refusing to start, ending. Each test has its own server. */
@Timeout(90)
class ServerLifeIT {
    private final String mark = UUID.randomUUID().toString();

    @Test
    void theOnlyLineOnStdoutIsTheUrlWithTheRealPort() {
        try (ServerProcess server = ServerProcess.listening()) {
            assertThat(server.url().toString()).matches("ws://127\\.0\\.0\\.1:[1-9]\\d*");
            try (WireClient client = WireClient.connect(server.port())) {
                client.handshake();
                client.start(Start.of("true")).closed();
            }

            assertThat(server.stop()).isZero();
            assertThat(server.stdoutLines()).containsExactly(server.url().toString());
        }
    }

    @Test
    void anIpV6AddressIsPrintedInBrackets() {
        try (ServerProcess server = ServerProcess.launched("--listen", "ws://[::1]:0")) {
            assertThat(server.url().toString()).matches("ws://\\[::1]:[1-9]\\d*");
        }
    }

    @Test
    void sigtermInAStormOfStartsLeavesNothingAliveAndSaysNothing() {
        try (ServerProcess server = ServerProcess.listening();
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            for (int i = 0; i < 600; i++) {
                client.sendStart(Start.bash("setsid sleep 64 & sleep 65").mark(mark));
            }
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> ProcFs.marked(mark).size() >= 20);

            assertThat(server.stop()).isZero();
            assertThat(server.stderr()).isEmpty();
            await("what was killed has died")
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> ProcFs.marked(mark).isEmpty());
        }
    }

    @Test
    void sigtermEndsWithStatusZeroTellsTheClientAndTakesTheChildren() {
        try (ServerProcess server = ServerProcess.listening();
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            client.start(Start.bash("setsid sleep 61 & trap '' TERM; sleep 62").mark(mark));
            client.start(Start.of("sleep", "63").tty().mark(mark));
            await().atMost(Duration.ofSeconds(15))
                    .until(() -> ProcFs.marked(mark).size() >= 3);

            assertThat(server.stop()).isZero();
            assertThat(client.ending(Duration.ofSeconds(15)).code()).isEqualTo(1001);
            await().atMost(Duration.ofSeconds(15))
                    .until(() -> ProcFs.marked(mark).isEmpty());
        }
    }

    @Test
    void killingTheServerHardLeavesNoProcess() {
        try (ServerProcess server = ServerProcess.listening();
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            List<RemoteProcess> processes = IntStream.range(0, 100)
                    .mapToObj(i -> client.sendStart(
                            switch (i % 4) {
                                case 0 ->
                                    Start.bash("setsid sleep 71 & sleep 72").mark(mark);
                                case 1 -> Start.of("sleep", "73").tty().mark(mark);
                                default -> Start.of("sleep", "74").stdin().mark(mark);
                            }))
                    .toList();
            processes.forEach(process -> process.started().result());
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> ProcFs.marked(mark).size() >= 125);

            server.killHard();
            await().atMost(Duration.ofSeconds(15))
                    .until(() -> ProcFs.marked(mark).isEmpty());
        }
    }

    @Test
    void theServerTakesItsTemporaryFolderWithIt() {
        try (ServerProcess server = ServerProcess.listening()) {
            Set<Path> own = runtimeFolders(server);
            server.stop();

            await().atMost(Duration.ofSeconds(15)).until(() -> own.stream().noneMatch(Files::exists));
        }
    }

    /** Folders below the temporary one that the guardian of this server was told to remove. */
    private static Set<Path> runtimeFolders(ServerProcess server) {
        return ProcFs.children(server.pid()).stream()
                .flatMap(child -> ProcFs.commandLine(child.pid()).stream())
                .filter(argument -> argument.startsWith("/tmp/"))
                .map(Path::of)
                .collect(Collectors.toSet());
    }

    static Stream<Arguments> refusals() {
        String hex = "a".repeat(64);
        return Stream.of(
                refusal(
                        "unsupported --listen URL `http://127.0.0.1:0`; expected `ws://IP:PORT` or `stdio`",
                        "--listen",
                        "http://127.0.0.1:0"),
                refusal(
                        "invalid websocket --listen URL `ws://localhost:0`; expected `ws://IP:PORT`",
                        "--listen",
                        "ws://localhost:0"),
                refusal(
                        "invalid websocket --listen URL `ws://127.0.0.1`; expected `ws://IP:PORT`",
                        "--listen",
                        "ws://127.0.0.1"),
                refusal(
                        "`--ws-token-file` or `--ws-token-sha256` is required when `--ws-auth capability-token` is set",
                        "--ws-auth",
                        "capability-token"),
                refusal(
                        "`--ws-token-file` and `--ws-token-sha256` are mutually exclusive",
                        "--ws-auth",
                        "capability-token",
                        "--ws-token-file",
                        "/tmp/none",
                        "--ws-token-sha256",
                        hex),
                refusal(
                        "--ws-token-sha256 must be a 64-character hex SHA-256 digest",
                        "--ws-auth",
                        "capability-token",
                        "--ws-token-sha256",
                        "xyz"),
                refusal(
                        "websocket auth flags require `--ws-auth capability-token` or `--ws-auth signed-bearer-token`",
                        "--ws-token-sha256",
                        hex),
                refusal(
                        "failed to read TLS certificate /nonexistent/cert: No such file or directory (os error 2)\n"
                                + "Give --tls-cert and --tls-key PEM files",
                        "--tls-cert",
                        "/nonexistent/cert",
                        "--tls-key",
                        "/nonexistent/key"),
                refusal(
                        "--state-dir /etc/passwd: is no folder that can be used: Not a directory (os error 20); name a folder",
                        "--state-dir",
                        "/etc/passwd"),
                refusal(
                        "failed to read websocket auth secret /nonexistent/secret: No such file or directory (os error 2)\n"
                                + "Give --ws-shared-secret-file a file",
                        "--ws-auth",
                        "signed-bearer-token",
                        "--ws-shared-secret-file",
                        "/nonexistent/secret"));
    }

    private static Arguments refusal(String text, String... arguments) {
        return Arguments.of(text, arguments);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusals")
    void startUpFailuresAreOneErrorLineAndStatusOne(String text, String[] arguments) {
        try (ServerProcess server = ServerProcess.launched(arguments)) {
            assertThat(server.exitStatus()).isEqualTo(1);
            assertThat(server.stderr()).startsWith("Error: " + text).doesNotContain("Exception");
            assertThat(server.stdoutLines()).isEmpty();
        }
    }

    @Test
    void aShortSecretIsRefused(@TempDir Path directory) throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "short\n");
        try (ServerProcess server = ServerProcess.launched(
                "--ws-auth", "signed-bearer-token", "--ws-shared-secret-file", secret.toString())) {
            assertThat(server.exitStatus()).isEqualTo(1);
            assertThat(server.stderr())
                    .contains("Error: signed websocket bearer secret " + secret + " must be at least 32 bytes");
        }
    }

    @Test
    void anAddressInUseIsRefused() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerProcess server = ServerProcess.launched("--listen", "ws://127.0.0.1:" + taken.getLocalPort())) {
            assertThat(server.exitStatus()).isEqualTo(1);
            assertThat(server.stderr())
                    .startsWith("Error: Address in use (os error 98)\nAnother program listens on ws://127.0.0.1:")
                    .hasLineCount(2);
        }
    }

    @RepeatedTest(3)
    void aStartThatFailsSaysNothingOfTheExaminationThatItBreaksOff(@TempDir Path directory) throws IOException {
        Path spill = Files.createFile(directory.resolve("file"));
        try (ServerProcess server = ServerProcess.launched("--listen", "ws://192.0.2.1:0");
                ServerProcess other = ServerProcess.launched("--spill-dir", spill.toString())) {
            assertThat(server.exitStatus()).isEqualTo(1);
            assertThat(server.stderr())
                    .startsWith("Error: Address not available (os error 99)\n")
                    .hasLineCount(2);
            assertThat(other.exitStatus()).isEqualTo(1);
            assertThat(other.stderr()).startsWith("Error: ").hasLineCount(1);
        }
    }

    @Test
    void infoBeginsWithTheAddressTheVersionsTheAuthenticationAndTheSandboxes() {
        try (ServerProcess server = ServerProcess.launched("--listen", "ws://127.0.0.1:0", "--log-level", "info")) {
            String url = server.url().toString();
            server.awaitStderr(" serves " + url + " with no authentication; protocol open");
            server.awaitStderr("sandbox");
        }
    }

    @Test
    void aUrlThatStandardOutputDoesNotTakeIsTold(@TempDir Path directory) throws Exception {
        Path err = directory.resolve("err");
        Process server = new ProcessBuilder(
                        ServerCommand.of(List.of("--listen", "ws://127.0.0.1:0", "--exit-on-stdin-close")))
                .redirectInput(new File("/dev/null"))
                .redirectOutput(new File("/dev/full"))
                .redirectError(err.toFile())
                .start();
        assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(server.exitValue()).isZero();
        assertThat(Files.readString(err))
                .contains("standard output cannot be written; the server listens on ws://127.0.0.1:");
    }

    @Test
    void aBadNumberOfConcurrentRequestsIsAUsageError() {
        try (ServerProcess server = ServerProcess.launched("--concurrent-requests", "0")) {
            assertThat(server.exitStatus()).isEqualTo(2);
            assertThat(server.stderr()).contains("--concurrent-requests");
        }
    }

    @Test
    void anUnknownOptionIsAUsageError() {
        try (ServerProcess server = ServerProcess.launched("--no-such-option")) {
            assertThat(server.exitStatus()).isEqualTo(2);
            assertThat(server.stderr()).contains("--no-such-option");
        }
    }

    @Test
    void helpNamesTheOptions() {
        try (ServerProcess server = ServerProcess.launched("--help-all")) {
            assertThat(server.exitStatus()).isZero();
            assertThat(String.join("\n", server.stdoutLines()))
                    .contains("--listen", "--concurrent-requests", "--ws-auth", "--protocol");
        }
    }

    @Test
    void versionNamesTheProgramFirst() {
        try (ServerProcess server = ServerProcess.launched("--version")) {
            assertThat(server.exitStatus()).isZero();
            assertThat(server.stdoutLines().getFirst()).matches("exec-server \\d+\\.\\d+.*");
        }
    }
}
