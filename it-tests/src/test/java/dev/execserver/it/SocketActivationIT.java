package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Program;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.VarTmp;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server whose socket a service manager has made: systemd-socket-activate(1) does what systemd does. */
@Timeout(180)
class SocketActivationIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir(factory = VarTmp.class)
    private Path folder;

    private Process manager;

    @AfterEach
    void stop() throws Exception {
        if (manager != null) {
            manager.destroy();
            assertThat(manager.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    /**
     * Starts the manager, which becomes the server when the first client comes.
     *
     * @param sockets its options
     */
    private void activate(List<String> sockets, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of("systemd-socket-activate"));
        command.addAll(sockets);
        command.addAll(ServerCommand.of(List.of(options)));
        manager = new ProcessBuilder(command)
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
        Awaitility.await()
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(folder.resolve("err")).content().contains("Listening on"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void aClientOfAPassedInternetSocketStartsTheServerAndIsServed() throws Exception {
        int port = freePort();
        activate(List.of("-l", "127.0.0.1:" + port), "--listen", "fd://");
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (int i = 0; i < 20; i++) {
                assertThat(http.send(
                                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz"))
                                                .timeout(LIMIT)
                                                .build(),
                                        BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(200);
            }
        }
        assertThat(run("ws://127.0.0.1:" + port)).isEqualTo(new Program(3, "from the command\n", ""));
        assertThat(folder.resolve("out")).content().isEqualTo("ws://127.0.0.1:" + port + "\n");
        assertThat(folder.resolve("err")).content().doesNotContain("WARN");
    }

    @Test
    void peersOfAPassedUnixSocketAreKnownAndNoCommandInheritsTheSocket() throws Exception {
        Path socket = folder.resolve("s");
        activate(List.of("-l", socket.toString()), "--listen", "fd://");
        awaitReady(socket);

        assertThat(run("unix:" + socket)).isEqualTo(new Program(3, "from the command\n", ""));
        Program descriptors =
                Program.run(folder, "", "run", "--url", "unix:" + socket, "--", "sh", "-c", "ls -l /proc/self/fd; env");
        assertThat(descriptors.out()).doesNotContain("socket:").doesNotContain("LISTEN_FDS");
        assertThat(folder.resolve("out")).content().isEqualTo("unix:" + socket + "\n");
        assertThat(folder.resolve("err")).content().doesNotContain("WARN");

        manager.destroy();
        assertThat(manager.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(manager.exitValue()).isZero();
        assertThat(Files.exists(socket)).as("the file belongs to the manager").isTrue();
    }

    @Test
    void aSocketOfSeveralIsChosenByItsName() throws Exception {
        int port = freePort();
        Path socket = folder.resolve("s");
        activate(
                List.of("--fdname=network:local", "-l", "127.0.0.1:" + port, "-l", socket.toString()),
                "--listen",
                "fd://local",
                "--listen",
                "fd://network");
        awaitReady(socket);
        assertThat(run("unix:" + socket)).isEqualTo(new Program(3, "from the command\n", ""));
        assertThat(run("ws://127.0.0.1:" + port)).isEqualTo(new Program(3, "from the command\n", ""));
    }

    @Test
    void withoutASocketTheStartSaysSo() {
        assertThat(Program.run(folder, "", "--listen", "fd://").err()).contains("passed no such listening socket");
    }

    /** Waits for the answer to a first request, which starts the server. */
    private static void awaitReady(Path socket) throws IOException {
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            client.write(UTF_8.encode("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
            ByteBuffer answer = ByteBuffer.allocate(12);
            while (answer.hasRemaining()) {
                assertThat(client.read(answer)).isPositive();
            }
            assertThat(UTF_8.decode(answer.flip()).toString()).isEqualTo("HTTP/1.1 200");
        }
    }

    private Program run(String url) {
        return Program.run(folder, "", "run", "--url", url, "--", "sh", "-c", "echo from the command; exit 3");
    }
}
