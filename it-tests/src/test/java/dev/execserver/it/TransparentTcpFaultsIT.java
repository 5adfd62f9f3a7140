package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bad names, many connections, silent peers and a server that dies, under programs that know no proxy. */
@Timeout(240)
class TransparentTcpFaultsIT {
    private static final Duration LIMIT = Duration.ofSeconds(150);

    @TempDir
    private static Path folder;

    @TempDir
    private Path workspace;

    private ServerProcess server;
    private WireClient client;
    private ServerSocket echo;

    @BeforeEach
    void begin() throws IOException {
        Path file = Files.writeString(folder.resolve("hosts"), """
                127.0.0.1 db.test xn--bcher-kva.test
                192.0.32.8 mixed.test
                10.1.2.3 mixed.test
                """);
        server = ServerProcess.listening(List.of(), Map.of("JAVA_TOOL_OPTIONS", "-Djdk.net.hosts.file=" + file));
        client = WireClient.connect(server.port());
        client.handshake();
        echo = new ServerSocket(0, 600, InetAddress.ofLiteral("127.0.0.1"));
        Thread.ofVirtual().start(this::accept);
    }

    /** Sends everything back, and ends when the peer has ended its side. */
    private void accept() {
        try {
            while (true) {
                Socket peer = echo.accept();
                Thread.ofVirtual().start(() -> {
                    try (peer) {
                        peer.getInputStream().transferTo(peer.getOutputStream());
                    } catch (IOException e) {
                        // the peer has gone
                    }
                });
            }
        } catch (IOException e) {
            // the end of the test
        }
    }

    @AfterEach
    void end() throws IOException {
        client.close();
        server.close();
        echo.close();
    }

    private RemoteProcess begun(ProxyConfig config, String program) throws IOException {
        Files.writeString(workspace.resolve("p.py"), """
                import socket, errno, os, threading, time, sys
                def code(s, host, port):
                    try:
                        s.connect((host, port)); return "0"
                    except socket.gaierror as e:
                        return "no name"
                    except UnicodeError as e:
                        return "no name"
                    except OSError as e:
                        return errno.errorcode[e.errno]
                """ + program);
        return client.start(ManagedNetwork.confined(Start.bash("exec /usr/bin/python3 p.py 2>&1"), workspace)
                .env("LANG", "C")
                .with("networkProxy", config.with("transparentTcp", true).json()));
    }

    private String output(ProxyConfig config, String program) throws IOException {
        RemoteProcess process = begun(config, program);
        process.closed(LIMIT);
        return process.text();
    }

    private ProxyConfig echoAllowed(String... more) {
        ProxyConfig config = ProxyConfig.allowing(more);
        return config.with(
                "domains", dev.execserver.it.support.Json.object("127.0.0.1:" + echo.getLocalPort(), "allow"));
    }

    @Test
    void namesInOddFormsMeanOneHostOrNone() throws IOException {
        int port = echo.getLocalPort();
        assertThat(output(
                        ProxyConfig.allowing("db.test", "xn--bcher-kva.test", "127.0.0.1", "mixed.test"),
                        """
                        def c(name): return code(socket.socket(), name, %d)
                        print(c("db.test."), c("DB.Test"), c("xn--bcher-kva.test"), c("b\\u00fccher.test"))
                        print(c("db.test.."), c(".".join(["a" * 49] * 5 + ["abcd"])), c("x" * 64 + ".test"), c("db.test.evil"))
                        print(c("mixed.test"))
                        """.formatted(port)))
                .isEqualTo("0 0 0 0\nno name no name no name no name\nEACCES\n");
    }

    @Test
    void thousandsOfDeniedConnectsAreAnsweredAndTheServerServesOthers() throws IOException {
        RemoteProcess flood = begun(echoAllowed(), """
                end = time.monotonic() + 5
                wrong = 0
                count = 0
                while time.monotonic() < end or count < 2000:
                    s = socket.socket()
                    if code(s, "192.0.2.1", 1 + count % 60000) != "EACCES": wrong += 1
                    s.close()
                    count += 1
                print(wrong, count >= 2000)
                """);
        RemoteProcess other = client.start(Start.bash("echo served"));
        other.closed(LIMIT);
        assertThat(other.text()).isEqualTo("served\n");
        flood.closed(LIMIT);
        assertThat(flood.text()).isEqualTo("0 True\n");
    }

    @Test
    void fiveHundredConnectionsStandAtOnceAndHalfCloseIsPassedOn() throws IOException {
        assertThat(output(echoAllowed(), """
                open = []
                for i in range(500):
                    s = socket.socket()
                    s.settimeout(60)
                    s.connect(("127.0.0.1", %d))
                    open.append(s)
                for i, s in enumerate(open):
                    s.sendall(b"%%d" %% i)
                    s.shutdown(socket.SHUT_WR)
                good = 0
                for i, s in enumerate(open):
                    data = b""
                    while True:
                        some = s.recv(100)
                        if not some: break
                        data += some
                    good += data == b"%%d" %% i
                print(good)
                """.formatted(echo.getLocalPort()))).isEqualTo("500\n");
    }

    @Test
    void aClientThatNeverAnswersMeansNo() throws IOException {
        RemoteProcess process = begun(
                ProxyConfig.nothing().asking(300),
                "print(code(socket.socket(), 'db.test', %d))".formatted(echo.getLocalPort()));
        JsonNode question = client.nextNetwork();
        assertThat(question.get("method").asText()).isEqualTo("network/policyRequest");
        process.closed(LIMIT);
        assertThat(process.text()).isEqualTo("EACCES\n");
    }

    @Test
    void nothingStaysReachableWhenTheServerIsKilled() throws Exception {
        CompletableFuture<Socket> accepted = new CompletableFuture<>();
        try (ServerSocket held = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"))) {
            Thread.ofVirtual().start(() -> {
                try {
                    accepted.complete(held.accept());
                } catch (IOException e) {
                    accepted.completeExceptionally(e);
                }
            });
            RemoteProcess process = begun(ProxyConfig.allowing("127.0.0.1:" + held.getLocalPort()), """
                    s = socket.socket()
                    s.connect(("127.0.0.1", %d))
                    s.sendall(b"x")
                    open("pid", "w").write(str(os.getpid()))
                    while True:
                        time.sleep(0.05)
                        code(socket.socket(), "127.0.0.1", %d)
                    """.formatted(
                            held.getLocalPort(), held.getLocalPort()));
            assertThat(process).isNotNull();
            Socket connection = accepted.get();
            assertThat(connection.getInputStream().read()).isEqualTo('x');
            server.killHard();
            connection.setSoTimeout(60_000);
            assertThat(ended(connection)).isTrue();
        }
    }

    private static boolean ended(Socket connection) {
        try (connection) {
            return connection.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
