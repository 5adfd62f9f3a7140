package dev.execserver.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.it.support.OpenFiles;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that open connections through their network proxies leave the server and everybody else their descriptors. */
@Timeout(120)
class CommandConnectionsIT {
    private static final int LIMIT = 320;
    private static final int OF_ONE_COMMAND = LIMIT / 16;

    private final ServerProcess server =
            ServerProcess.listening(List.of("prlimit", "--nofile=" + LIMIT + ":" + LIMIT), Map.of());
    private final WireClient client = WireClient.connect(server.port());
    private final List<Socket> open = new ArrayList<>();
    private ServerSocket host;

    @BeforeEach
    void connect() throws IOException {
        client.handshake();
        host = new ServerSocket(0, 600, InetAddress.getLoopbackAddress()); // the kernel accepts, nobody else need
    }

    @AfterEach
    void end() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
        host.close();
        client.close();
        server.close();
    }

    private URI proxyOfACommand() {
        RemoteProcess process = client.start(Start.bash("echo $HTTP_PROXY; exec sleep 100")
                .with("networkProxy", ProxyConfig.allowing("127.0.0.1").json()));
        process.awaitText("\n");
        return URI.create(process.text().trim());
    }

    private Socket ask(URI proxy) throws IOException {
        Socket socket = new Socket(proxy.getHost(), proxy.getPort());
        open.add(socket);
        String target = "127.0.0.1:" + host.getLocalPort();
        socket.getOutputStream()
                .write(("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\n").getBytes(US_ASCII));
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static String status(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)).readLine();
    }

    /** Returns the head of an answer that opens a tunnel, or all of one that refuses it. */
    private static String answer(Socket socket) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
        String first = reader.readLine();
        return first.contains("200") ? first : first + "\n" + reader.lines().collect(Collectors.joining("\n"));
    }

    @Test
    void oneCommandHasItsShareAndFurtherConnectionsWait() throws IOException {
        URI proxy = proxyOfACommand();
        for (int i = 0; i < OF_ONE_COMMAND; i++) {
            assertThat(status(ask(proxy))).contains("200");
        }
        Socket waiting = ask(proxy);
        waiting.setSoTimeout(500);
        assertThatThrownBy(() -> status(waiting)).isInstanceOf(SocketTimeoutException.class);
        assertThat(status(ask(proxyOfACommand()))).contains("200");

        open.getFirst().setSoLinger(true, 0); // reset: the host would not answer an end with its own
        open.getFirst().close();
        waiting.setSoTimeout(30_000);
        assertThat(status(waiting)).contains("200");
    }

    @Test
    void manyCommandsAreRefusedInWordsWhileOthersCanStillStart() throws IOException {
        List<String> refused = new ArrayList<>();
        for (int command = 0; command < 8; command++) {
            URI proxy = proxyOfACommand();
            for (int i = 0; i < OF_ONE_COMMAND && refused.isEmpty(); i++) {
                String answer = answer(ask(proxy));
                if (!answer.contains("200")) {
                    refused.add(answer);
                }
            }
        }
        assertThat(refused).isNotEmpty();
        assertThat(refused.getFirst())
                .contains("502 Bad Gateway")
                .contains("the server has hardly any file descriptor left of its " + LIMIT);
        assertThat(OpenFiles.of(server.pid()).count()).isLessThan(LIMIT - 48);
        client.start(Start.of("true")).closed();
        try (WireClient other = WireClient.connect(server.port())) {
            other.handshake();
            other.start(Start.of("true")).closed();
        }
    }
}
