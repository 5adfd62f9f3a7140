package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.ServerCommand;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Unix sockets that {@code exec-server sandbox} lets its command connect to. */
@Timeout(180)
class SandboxSocketsIT {
    private static final String ASK = """
            import errno, socket, sys
            for path in sys.argv[1:]:
                s = socket.socket(socket.AF_UNIX)
                try:
                    s.connect(path.replace("@", "\\0"))
                    print(s.recv(100).decode())
                except OSError as e:
                    print(errno.errorcode[e.errno])
            """;

    @TempDir
    private Path folder;

    private String sandbox(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("sandbox", "--state-dir", folder.resolve("state").toString(), "--network", "{}"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(ServerCommand.of(command))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return text;
    }

    private static String listed(Path... sockets) {
        return "{\"allowUnixSockets\":["
                + String.join(
                        ",",
                        java.util.Arrays.stream(sockets)
                                .map(path -> "\"" + path + "\"")
                                .toList()) + "]}";
    }

    private static ServerSocketChannel greeting(Path path, byte[] words) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        channel.bind(UnixDomainSocketAddress.of(path));
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    try (SocketChannel peer = channel.accept()) {
                        peer.write(ByteBuffer.wrap(words));
                    }
                }
            } catch (IOException e) {
                // the end of the test
            }
        });
        return channel;
    }

    @Test
    void aListedSocketIsReachedAndNoOther() throws Exception {
        Path open = folder.resolve("open");
        Path shut = folder.resolve("shut");
        byte[] hello = "hello".getBytes(StandardCharsets.US_ASCII);
        try (ServerSocketChannel _ = greeting(open, hello);
                ServerSocketChannel _ = greeting(shut, hello)) {
            String[] ask = {
                "--managed-network",
                listed(open),
                "--",
                "/usr/bin/python3",
                "-c",
                ASK,
                open.toString(),
                "open",
                shut.toString(),
                "@" + open
            };
            assertThat(sandbox(ask)).isEqualTo("hello\nhello\nEACCES\nEACCES\n");
            List<String> transparent = new ArrayList<>(List.of("--transparent-tcp"));
            transparent.addAll(List.of(ask));
            assertThat(sandbox(transparent.toArray(String[]::new))).isEqualTo("hello\nhello\nEACCES\nEACCES\n");
        }
    }

    @Test
    void withoutAListNoUnixSocketCanBeMade() throws Exception {
        assertThat(sandbox("--", "/usr/bin/python3", "-c", "import socket; socket.socket(socket.AF_UNIX)"))
                .contains("PermissionError: [Errno 1]");
        assertThat(sandbox("--managed-network", "{\"allowUnixSockets\":[\"agent\"]}", "--", "true"))
                .contains("Unix socket `agent` can never match: an absolute path is needed");
    }

    @Test
    void theAgentOfSshAndADatabaseAnswer() throws Exception {
        Path agentSocket = folder.resolve("agent");
        byte[] error = "E\0\0\0\0SFATAL\0C28000\0Mgreetings from the database\0\0".getBytes(StandardCharsets.US_ASCII);
        error[4] = (byte) (error.length - 1);
        Path databaseSocket = folder.resolve(".s.PGSQL.5432");
        Process agent = new ProcessBuilder("ssh-agent", "-D", "-a", agentSocket.toString())
                .redirectErrorStream(true)
                .start();
        try (ServerSocketChannel _ = greeting(databaseSocket, error)) {
            agent.getInputStream().read(); // it listens
            String text = sandbox(
                    "--managed-network",
                    listed(agentSocket, databaseSocket),
                    "--",
                    "sh",
                    "-c",
                    "SSH_AUTH_SOCK=%s ssh-add -l; psql -h %s -U x x".formatted(agentSocket, folder));
            assertThat(text).startsWith("The agent has no identities.\n").contains("greetings from the database");
        } finally {
            agent.destroy();
            agent.waitFor(30, TimeUnit.SECONDS);
        }
    }
}
