package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.OpenFiles;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that runs out of descriptors refuses what is new, keeps what it has, and is well again when some are free. */
@Timeout(120)
class DescriptorLimitIT {
    private static final int LIMIT = 320;

    private static ServerProcess serve() {
        return ServerProcess.listening(List.of("prlimit", "--nofile=" + LIMIT + ":" + LIMIT), Map.of());
    }

    private static WireClient client(ServerProcess server) {
        WireClient client = WireClient.connect(server.port());
        client.handshake();
        return client;
    }

    @Test
    void startsAreRefusedInTimeAndWorkAgainWhenProcessesHaveEnded() {
        try (ServerProcess server = serve();
                WireClient client = client(server)) {
            List<RemoteProcess> processes = new ArrayList<>();
            Answer refused = null;
            while (refused == null && processes.size() < LIMIT) {
                RemoteProcess process = client.sendStart(Start.of("sleep", "100"));
                Answer answer = process.started();
                if (answer.failed()) {
                    refused = answer;
                } else {
                    processes.add(process);
                }
            }
            assertThat(refused).isNotNull();
            assertLackOfDescriptors(refused);
            try (WireClient other = client(server)) {
                assertThat(other.call("environment/status").failed()).isFalse();
            }

            processes.forEach(RemoteProcess::terminate);
            processes.forEach(RemoteProcess::closed);
            client.start(Start.of("true")).closed();
            assertThat(server.stderr()).isEmpty();
        }
    }

    /** The numbers of connections that were closed are free again, and the lowest of them tells nothing. */
    @Test
    void holesInTheTableHideNothing() {
        try (ServerProcess server = serve();
                WireClient client = client(server)) {
            List<WireClient> low =
                    Stream.generate(() -> client(server)).limit(60).toList();
            while (!client.sendStart(Start.of("sleep", "100").stdin()).started().failed()) {
                // until it is refused
            }
            low.forEach(WireClient::close);
            Answer refused;
            do {
                refused = client.sendStart(Start.of("sleep", "100").stdin()).started();
            } while (!refused.failed());
            assertLackOfDescriptors(refused);
            assertReserveIsFree(server);
        }
    }

    @Test
    void startsThatComeAtOnceLeaveTheReserveAlone() {
        try (ServerProcess server = serve();
                WireClient client = client(server)) {
            List<RemoteProcess> processes = Stream.generate(
                            () -> client.sendStart(Start.of("sleep", "100").stdin()))
                    .limit(200)
                    .toList();
            List<Answer> refused = processes.stream()
                    .map(RemoteProcess::started)
                    .filter(Answer::failed)
                    .toList();
            assertThat(refused)
                    .isNotEmpty()
                    .hasSizeLessThan(200)
                    .allSatisfy(DescriptorLimitIT::assertLackOfDescriptors);
            assertReserveIsFree(server);
        }
    }

    private static void assertLackOfDescriptors(Answer refused) {
        assertThat(refused.error().path("data").path("reason").textValue()).isEqualTo("descriptors");
        assertThat(refused.errorMessage()).contains("ulimit -n");
    }

    private static void assertReserveIsFree(ServerProcess server) {
        assertThat(OpenFiles.of(server.pid()).count()).isLessThanOrEqualTo(LIMIT - 48);
        try (WireClient other = client(server)) {
            assertThat(other.call("environment/status").failed()).isFalse();
        }
        assertThat(server.stderr()).isEmpty();
    }

    @Test
    void peersThatOnlyConnectTakeNothingFromAnybody() throws IOException {
        try (ServerProcess server = serve();
                WireClient client = client(server)) {
            List<Socket> strangers = new ArrayList<>();
            for (int i = 0; i < 2 * LIMIT; i++) {
                strangers.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
            }
            client.start(Start.of("true")).closed();
            try (WireClient other = client(server)) {
                other.start(Start.of("true")).closed();
            }
            for (Socket stranger : strangers) {
                stranger.close();
            }
            assertThat(server.stderr()).isEmpty();
        }
    }

    @Test
    void aListenerThatTheSystemTookAwayIsReplaced() throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.listening()) {
            int inUse;
            try (Stream<Path> open = Files.list(Path.of("/proc/" + server.pid() + "/fd"))) {
                inUse = open.mapToInt(fd -> Integer.parseInt(fd.getFileName().toString()))
                        .max()
                        .orElseThrow();
            }
            limit(server, "3", inUse);
            try (Socket unaccepted = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                awaitEnd(unaccepted); // it waited at a listener, and that is gone
                limit(server, "4096", inUse);
                server.awaitStderr("listening again");
            }
            await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
                try (WireClient client = client(server)) {
                    return !client.call("environment/status").failed();
                }
            });
        }
    }

    private static void awaitEnd(Socket socket) throws IOException {
        socket.setSoTimeout(30_000);
        try {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (SocketException reset) {
            // the kernel's way to say the same
        }
    }

    /** Numbers that are open already stay usable under a lower limit. */
    private static void limit(ServerProcess server, String files, int inUse) throws IOException, InterruptedException {
        Process prlimit = new ProcessBuilder("prlimit", "--pid", "" + server.pid(), "--nofile=" + files + ":")
                .redirectErrorStream(true)
                .start();
        String said = new String(prlimit.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(prlimit.waitFor()).as("%s with %d in use", said, inUse).isZero();
    }

    @Test
    void aLimitThatIsTooLowForAServerIsSaidAtStart() {
        try (ServerProcess server = ServerProcess.launched(List.of("prlimit", "--nofile=200:200"))) {
            assertThat(server.exitStatus()).isEqualTo(1);
            assertThat(server.stderr())
                    .contains("the limit of open files is 200")
                    .contains("ulimit -n");
        }
    }

    @Test
    void peersThatSendHalfARequestWriteNothingIntoTheLog() throws IOException {
        try (ServerProcess server = ServerProcess.listening()) {
            for (String half :
                    List.of("GET / HTTP/1.1\r\nHost: x\r\nFo", "\0\1\2\r\n\r\n", "GET /\r\n\r\n", "", "PUT")) {
                try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                    peer.getOutputStream().write(half.getBytes(StandardCharsets.US_ASCII));
                    peer.shutdownOutput();
                    peer.getInputStream().readAllBytes();
                }
            }
            server.stop();
            assertThat(server.stderr()).isEmpty();
        }
    }
}
