package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.ForwardProxy;
import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.OpenFiles;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.TcpPeer;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Proxies that are wrong, away or dying: the command is not started, or reaches nothing, and never gets out another way. */
@Timeout(120)
class ManagedNetworkFaultsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static RawHttpServer host;

    @TempDir
    private Path workspace;

    @BeforeAll
    static void listen() {
        host = RawHttpServer.answering((request, out) -> out.write(RawHttpServer.ok("direct")));
    }

    @AfterAll
    static void close() {
        host.close();
    }

    private String inside(String script, String proxy, String... variables) {
        Start start = ManagedNetwork.shell(script, workspace, proxy);
        for (int i = 0; i < variables.length; i += 2) {
            start.env(variables[i], variables[i + 1]);
        }
        RemoteProcess process = SERVER.client().start(start);
        process.closed(LIMIT);
        return process.text();
    }

    @ParameterizedTest(name = "HTTP_PROXY={0}")
    @CsvSource({
        "http://127.0.0.2:3128, requires parseable loopback proxy endpoints",
        "http://0.0.0.0:3128, requires parseable loopback proxy endpoints",
        "http://2130706433:3128, requires parseable loopback proxy endpoints",
        "http://[::ffff:127.0.0.1]:3128, requires parseable loopback proxy endpoints",
        "http://localhost.:3128, requires parseable loopback proxy endpoints",
        "http://127.0.0.1:65536, requires parseable loopback proxy endpoints",
        "http://127.0.0.1:31x8, requires parseable loopback proxy endpoints",
        "http://127.0.0.1@192.0.2.1:3128, requires parseable loopback proxy endpoints",
        "unix:/run/proxy.sock, requires parseable loopback proxy endpoints",
        "http://[::1, requires parseable loopback proxy endpoints",
        "socks5h://, requires parseable loopback proxy endpoints",
        "http://[::1]:0, HTTP_PROXY has port 0",
        "localhost:0, HTTP_PROXY has port 0"
    })
    void aValueThatNamesNoUsableProxyStartsNothing(String value, String message) {
        Start start =
                ManagedNetwork.confined(Start.shell("touch started"), workspace).env("HTTP_PROXY", value);
        Answer answer = SERVER.client().sendStart(start).started();
        assertThat(answer.errorCode()).isEqualTo(-32602);
        assertThat(answer.errorMessage()).contains(message);
        assertThat(workspace).isEmptyDirectory();
    }

    @Test
    void aProxyThatDoesNotListenIsAConnectionThatEndsWithoutAByte() {
        int port;
        try (TcpPeer gone = TcpPeer.serving(connection -> {})) {
            port = gone.port();
        }
        assertThat(inside(
                        "exec 3<>/dev/tcp/127.0.0.1/61001 && echo accepted; cat <&3; echo end;"
                                + " curl -s http://127.0.0.1:" + host.port() + "/; echo \" rc=$?\";"
                                + " curl -s --noproxy '*' http://127.0.0.1:" + host.port() + "/; echo \" rc=$?\"",
                        "http://127.0.0.1:" + port))
                // no reply, or a reset because the request was not read
                .matches("accepted\\nend\\n rc=5[26]\\n rc=7\\n");
    }

    @Test
    void aProxyThatStartsLateServesWhatComesThen() throws Exception {
        int port;
        try (TcpPeer gone = TcpPeer.serving(connection -> {})) {
            port = gone.port();
        }
        RemoteProcess process = SERVER.client()
                .start(ManagedNetwork.shell(
                                "exec 3<>/dev/tcp/127.0.0.1/61001; cat <&3; echo first; read -r go;"
                                        + " exec 3<>/dev/tcp/127.0.0.1/61001; cat <&3",
                                workspace,
                                "http://127.0.0.1:" + port)
                        .stdin());
        process.awaitText("first");
        try (TcpPeer late = TcpPeer.on(
                "127.0.0.1", port, connection -> connection.getOutputStream().write("late\n".getBytes(UTF_8)))) {
            process.write("go\n");
            process.closed(LIMIT);
        }
        assertThat(process.text()).isEqualTo("first\nlate\n");
    }

    /** By an orderly end, and by a reset. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aProxyThatDiesInTheMiddleEndsItsConnectionsAndOpensNothing(boolean reset) throws Exception {
        LinkedBlockingQueue<Socket> open = new LinkedBlockingQueue<>();
        TcpPeer proxy = TcpPeer.serving(connection -> {
            connection.getOutputStream().write("half\n".getBytes(UTF_8));
            open.add(connection);
            connection.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
        });
        String script = "exec 3<>/dev/tcp/127.0.0.1/61001; head -1 <&3; cat <&3; echo ended;"
                + " exec 3<>/dev/tcp/127.0.0.1/61001; cat <&3; echo again;"
                + " exec 4<>/dev/tcp/127.0.0.1/" + host.port() + "; echo then";
        inside("true", "http://127.0.0.1:" + proxy.port());
        SERVER.endSessions();
        OpenFiles before = OpenFiles.of(SERVER.pid());
        RemoteProcess process =
                SERVER.client().start(ManagedNetwork.shell(script, workspace, "http://127.0.0.1:" + proxy.port()));
        process.awaitText("half");
        proxy.close();
        try (Socket connection = open.take()) {
            connection.setSoLinger(reset, 0);
        }
        process.closed(LIMIT);
        assertThat(process.text()).contains("half\n", "ended\n", "again\n", "Connection refused", "then\n");
        SERVER.endSessions();
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(before.openedSince()).hasSizeLessThanOrEqualTo(2));
    }

    @ParameterizedTest(name = "NO_PROXY={0}")
    @ValueSource(
            strings = {
                "*",
                "127.0.0.1",
                "localhost,127.0.0.1,::1",
                "mirror.test",
                ".test",
                "0.0.0.0/0",
                "127.0.0.1:61001"
            })
    void whatNoProxyExemptsIsUnreachable(String value) {
        try (ForwardProxy proxy = ForwardProxy.on("127.0.0.1")) {
            String script =
                    "for h in 127.0.0.1 mirror.test; do curl -s --max-time 20 -w '%{http_code}' http://$h:PORT/;"
                            + " echo; done; echo \"$NO_PROXY $no_proxy\"";
            String out = inside(
                    script.replace("PORT", Integer.toString(host.port())),
                    proxy.url(),
                    "NO_PROXY",
                    value,
                    "no_proxy",
                    value);
            assertThat(out).endsWith(value + " " + value + "\n");
            assertThat(out.lines().limit(2))
                    .allMatch(line -> line.equals("000") || line.equals("direct200"))
                    .filteredOn("direct200"::equals)
                    .hasSizeLessThanOrEqualTo(proxy.requests().size());
        }
    }
}
