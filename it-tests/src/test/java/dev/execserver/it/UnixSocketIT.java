package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.it.support.Program;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.WireClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers on Unix sockets, and on several addresses at once. */
@Timeout(120)
class UnixSocketIT {
    /** Everything may be read, the working directory written, and the network used. */
    private static final String WITH_NETWORK = """
            {"type":"managed","network":"enabled","file_system":{"type":"restricted","entries":[
             {"path":{"type":"special","value":{"kind":"root"}},"access":"read"},
             {"path":{"type":"special","value":{"kind":"project_roots"}},"access":"write"}]}}
            """;

    private static final String ASK = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX)
            try:
                s.connect(sys.argv[1])
                s.sendall(b"GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
                print(s.recv(1000).decode())
            except OSError as e:
                print("refused:", e)
            """;

    @TempDir
    private Path directory;

    @Test
    void commandsAndTheJavaClientConnectToThePathAndOnlyTheOwnerMay() throws Exception {
        Path socket = directory.resolve("socket");
        try (ServerProcess server = ServerProcess.launched("--listen", "unix:" + socket)) {
            assertThat(server.url().toString()).isEqualTo("unix:" + socket);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                    .isEqualTo("rw-------");

            assertThat(run(socket, "sh", "-c", "echo x; exit 3")).isEqualTo(new Program(3, "x\n", ""));
            try (ExecServerClient client =
                    ExecServerClient.connect(ClientOptions.url("unix:" + socket).build())) {
                assertThat(client.environmentInfo()).isPresent();
            }
            assertThat(server.stop()).isZero();
            assertThat(socket).doesNotExist();
        }
    }

    @Test
    void severalAddressesServeTheSameSessionsAndLaunchersAreToldTheFirstWebSocket() throws Exception {
        Path socket = directory.resolve("socket");
        try (ServerProcess server = ServerProcess.launched(
                        "--listen", "unix:" + socket, "--listen", "ws://127.0.0.1:0", "--listen", "ws://[::1]:0");
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            assertThat(server.url().toString()).startsWith("ws://127.0.0.1:");
            assertThat(run(socket, "echo", "x").out()).isEqualTo("x\n");
            assertThat(server.stop()).isZero();
            assertThat(server.stdoutLines()).hasSize(1);
        }
    }

    @Test
    void aSandboxedCommandSeesNoSocketAndIsRefusedByEveryOtherName() throws Exception {
        Path socket = directory.resolve("socket");
        Path ask = Files.writeString(directory.resolve("ask.py"), ASK);
        try (ServerProcess server = ServerProcess.launched("--listen", "unix:" + socket)) {
            assertThat(server.url()).isNotNull();
            assertThat(sandboxed(socket, "python3", ask.toString(), socket.toString())
                            .out())
                    .startsWith("refused:");

            Path other = Files.createLink(directory.resolve("other"), socket);
            assertThat(sandboxed(socket, "python3", ask.toString(), other.toString())
                            .out())
                    .contains("403 Forbidden", "runs in a sandbox");
            assertThat(run(socket, "python3", ask.toString(), other.toString()).out())
                    .contains("200 OK");
        }
    }

    @Test
    void aSocketThatAKilledServerHasLeftIsReplacedAndOneInUseIsNot() throws Exception {
        Path socket = directory.resolve("socket");
        try (ServerProcess killed = ServerProcess.launched("--listen", "unix:" + socket)) {
            assertThat(killed.url()).isNotNull();
            killed.killHard();
        }
        assertThat(socket).exists();

        try (ServerProcess next = ServerProcess.launched("--listen", "unix:" + socket, "--socket-mode", "0660")) {
            assertThat(next.url()).isNotNull();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                    .isEqualTo("rw-rw----");
            Program second = Program.run(directory, "", "--listen", "unix:" + socket);
            assertThat(second.status()).isEqualTo(1);
            assertThat(second.err()).contains("Address in use", "unix:" + socket);
            assertThat(run(socket, "echo", "x").out()).isEqualTo("x\n");
        }
    }

    @Test
    void aFileThatIsNoSocketStays() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "content", UTF_8);
        Program server = Program.run(directory, "", "--listen", "unix:" + file);
        assertThat(server.status()).isEqualTo(1);
        assertThat(server.err()).contains("is no socket");
        assertThat(file).hasContent("content");
    }

    private Program sandboxed(Path socket, String... command) {
        return run(socket, Optional.of(WITH_NETWORK), command);
    }

    private Program run(Path socket, String... command) {
        return run(socket, Optional.empty(), command);
    }

    private Program run(Path socket, Optional<String> profile, String... command) {
        List<String> arguments =
                new ArrayList<>(List.of("run", "--url", "unix:" + socket, "--cwd", directory.toString()));
        profile.ifPresent(text -> arguments.addAll(List.of("--profile", text)));
        arguments.add("--");
        arguments.addAll(List.of(command));
        return Program.run(directory, "", arguments.toArray(String[]::new));
    }
}
