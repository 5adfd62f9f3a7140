package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.ForwardProxy;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that know no proxy, in a sandbox whose only way out is the proxy of its process. */
@Timeout(180)
class TransparentTcpIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private static ServerProcess server;
    private static RawHttpServer http;

    @TempDir
    private static Path hosts;

    @TempDir
    private Path workspace;

    private WireClient client;

    @BeforeAll
    static void start() throws IOException {
        Path file = Files.writeString(hosts.resolve("hosts"), "127.0.0.1 db.test other.test\n");
        server = ServerProcess.listening(List.of(), Map.of("JAVA_TOOL_OPTIONS", "-Djdk.net.hosts.file=" + file));
        http = RawHttpServer.answering((request, out) -> {
            out.write(RawHttpServer.ok("hello"));
            throw new IOException("closed");
        });
    }

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    @BeforeEach
    void connect() {
        client = WireClient.connect(server.port());
        client.handshake();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private static ProxyConfig allowed() {
        return ProxyConfig.allowing("db.test", "127.0.0.1:" + http.port()).with("transparentTcp", true);
    }

    private RemoteProcess begun(ProxyConfig config, String script) {
        return client.start(ManagedNetwork.confined(Start.bash(script), workspace)
                .env("LANG", "C")
                .with("networkProxy", config.json()));
    }

    private Answer refused(ProxyConfig config) {
        return client.sendStart(
                        ManagedNetwork.confined(Start.bash("true"), workspace).with("networkProxy", config.json()))
                .started();
    }

    private String output(ProxyConfig config, String script) {
        RemoteProcess process = begun(config, script);
        process.closed(LIMIT);
        return process.text();
    }

    private String python(ProxyConfig config, String program) throws IOException {
        Files.writeString(workspace.resolve("p.py"), program);
        return output(config, "/usr/bin/python3 p.py 2>&1");
    }

    private static String get(String host) {
        return """
                import socket
                s = socket.create_connection(("%s", %d))
                s.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
                data = b""
                while True:
                    some = s.recv(1000)
                    if not some: break
                    data += some
                print(data.split(b"\\r\\n\\r\\n")[1].decode())
                """.formatted(host, http.port());
    }

    @Test
    void aNameAndAnAddressAreReachedByAPlainSocket() throws IOException {
        assertThat(python(allowed(), get("db.test") + get("127.0.0.1"))).isEqualTo("hello\nhello\n");
        JsonNode first = client.nextNetwork().get("params");
        assertThat(first.get("host").asText()).isEqualTo("db.test");
        assertThat(first.get("port").asInt()).isEqualTo(http.port());
        assertThat(first.get("protocol").asText()).isEqualTo("socks5_tcp");
        assertThat(first.get("decision").asText()).isEqualTo("allow");
        assertThat(client.nextNetwork().get("params").get("host").asText()).isEqualTo("127.0.0.1");
    }

    @Test
    void aRefusalComesFromConnectAndNoNameOfAForbiddenHostResolves() throws IOException {
        assertThat(python(allowed(), """
                import socket, errno
                for host, port in (("192.0.2.1", 80), ("169.254.169.254", 80), ("::ffff:169.254.169.254", 80), ("2001:db8::1", 443)):
                    family = socket.AF_INET6 if ":" in host else socket.AF_INET
                    s = socket.socket(family)
                    print(errno.errorcode[s.connect_ex((host, port))])
                try:
                    socket.getaddrinfo("no.test", 80)
                except socket.gaierror as e:
                    print(e.errno == socket.EAI_NONAME)
                """)).isEqualTo("EACCES\nEACCES\nEACCES\nEACCES\nTrue\n");
    }

    @Test
    void aDestinationThatRefusesIsSeenInConnect() throws IOException {
        assertThat(python(ProxyConfig.allowing("127.0.0.1:1").with("transparentTcp", true), """
                import socket, errno
                print(errno.errorcode[socket.socket().connect_ex(("127.0.0.1", 1))])
                print(errno.errorcode[socket.socket().connect_ex(("127.0.0.1", 2))])
                """))
                .isEqualTo("ECONNREFUSED\nECONNREFUSED\n");
    }

    @Test
    void aSocketThatDoesNotBlockKeepsItsOptionsAndItsPlaceInEpoll() throws IOException {
        assertThat(python(allowed(), """
                import socket, select, errno
                s = socket.socket()
                s.setblocking(False)
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                e = select.epoll()
                e.register(s, select.EPOLLOUT)
                print(errno.errorcode[s.connect_ex((socket.gethostbyname("db.test"), %d))])
                while s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0:
                    if any(mask & select.EPOLLOUT and not mask & select.EPOLLHUP for _, mask in e.poll(10)): break
                print(s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), s.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0)
                s.setblocking(True)
                s.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
                print(s.recv(1000).startswith(b"HTTP/1.1 200"))
                print(s.connect_ex(("192.0.2.1", 80)) in (0, errno.EISCONN))
                """.formatted(http.port()))).isEqualTo("EINPROGRESS\n0 True\nTrue\nTrue\n");
    }

    @Test
    void programsThatKnowNoProxyWork() throws IOException {
        Files.writeString(workspace.resolve("Get.java"), """
                class Get {
                    public static void main(String[] a) throws Exception {
                        try (var s = new java.net.Socket("db.test", Integer.parseInt(a[0]))) {
                            s.getOutputStream().write("GET / HTTP/1.0\\r\\n\\r\\n".getBytes());
                            System.out.println(new String(s.getInputStream().readAllBytes()).split("\\r\\n\\r\\n")[1]);
                        }
                    }
                }
                """);
        String clear =
                "unset ${!npm_config*} ${!NPM*} HTTP_PROXY HTTPS_PROXY http_proxy https_proxy ALL_PROXY all_proxy"
                        + " NODE_USE_ENV_PROXY; ";
        assertThat(output(
                        allowed(),
                        clear + "curl -sS --noproxy '*' http://db.test:%1$d/; echo; ".formatted(http.port())
                                + "node -e 'const s = require(\"net\").connect(%1$d, \"db.test\", () => s.write(\"GET / HTTP/1.0\\r\\n\\r\\n\")); let d = \"\"; s.on(\"data\", c => d += c); s.on(\"close\", () => console.log(d.split(\"\\r\\n\\r\\n\")[1]))'; "
                                        .formatted(http.port())
                                + System.getProperty("java.home") + "/bin/java -XX:TieredStopAtLevel=1 Get.java "
                                + http.port()
                                + "; (exec 3<>/dev/tcp/db.test/%1$d && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && tail -n 1 <&3)"
                                        .formatted(http.port())))
                .isEqualTo("hello\nhello\nhello\nhello");
    }

    @Test
    void theClientIsAskedBeforeTheConnectionIsOpen() throws IOException {
        Files.writeString(workspace.resolve("p.py"), get("other.test"));
        ProxyConfig config = ProxyConfig.allowing("127.0.0.1:" + http.port())
                .with("transparentTcp", true)
                .asking(30_000);
        RemoteProcess yes = begun(config, "/usr/bin/python3 p.py 2>&1");
        JsonNode question = client.nextNetwork();
        assertThat(question.get("params").get("request").get("host").asText()).isEqualTo("other.test");
        client.answer(question, Json.object("decision", Json.object("type", "allow")));
        yes.closed(LIMIT);
        assertThat(yes.text()).isEqualTo("hello\n");
        assertThat(client.nextNetwork().get("params").get("decision").asText()).isEqualTo("allow");

        RemoteProcess no = begun(config, "/usr/bin/python3 p.py 2>&1");
        client.answer(
                client.nextNetwork(), Json.object("decision", Json.object("type", "deny", "reason", "not today")));
        no.closed(LIMIT);
        assertThat(no.text()).contains("PermissionError");
    }

    @Test
    void whatLeadsRoundConnectLeadsNowhere() throws IOException {
        assertThat(python(allowed(), """
                import socket, errno, os, ctypes
                def tell(what, call):
                    try:
                        call(); print(what, "done")
                    except OSError as e:
                        print(what, errno.errorcode[e.errno])
                a = ("192.0.2.1", 80)
                MSG_FASTOPEN = 0x20000000
                tell("fastopen", lambda: socket.socket().sendto(b"x", MSG_FASTOPEN, a))
                tell("sendmsg", lambda: socket.socket().sendmsg([b"x"], [], MSG_FASTOPEN, a))
                tell("udp", lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 9)))
                tell("udp connect", lambda: socket.socket(type=socket.SOCK_DGRAM).connect(("192.0.2.1", 9)))
                tell("raw", lambda: socket.socket(type=socket.SOCK_RAW, proto=1))
                tell("unix", lambda: socket.socket(socket.AF_UNIX))
                tell("vsock", lambda: socket.socket(40))
                tell("mptcp", lambda: socket.socket(proto=262).connect(a))
                # straight to the port inside, which no decision has announced
                s = socket.socket()
                try:
                    s.sendto(b"GET / HTTP/1.0\\r\\n\\r\\n", MSG_FASTOPEN, ("127.0.0.1", 61003))
                    print(s.recv(12))
                except ConnectionResetError:
                    print(b"")
                """))
                .contains("fastopen ENETUNREACH\nsendmsg ENETUNREACH\nudp ENETUNREACH\nudp connect ENETUNREACH\n"
                        + "raw EPERM\nunix EPERM\nvsock EPERM\nmptcp EACCES\n")
                .endsWith("b''\n");
    }

    @Test
    void theReportOfTheExitNamesTheRefusalAndTheSmallestRule() throws IOException {
        Files.writeString(workspace.resolve("p.py"), """
                import socket, sys
                try:
                    socket.create_connection(("db.test", 4))
                except OSError:
                    sys.exit(3)
                """);
        ProxyConfig config = ProxyConfig.allowing("db.test:5").with("transparentTcp", true);
        RemoteProcess process = begun(config, "/usr/bin/python3 p.py");
        JsonNode denial = process.exited().params().get("denial");
        assertThat(denial.get("kind").asText()).isEqualTo("network");
        assertThat(denial.get("host").asText()).isEqualTo("db.test");
        assertThat(denial.get("port").asInt()).isEqualTo(4);
        assertThat(denial.get("rule").asText()).isEqualTo("`db.test:5` allows another port only");
        assertThat(denial.get("change")).isEqualTo(Json.parse("{\"domains\":{\"db.test:4\":\"allow\"}}"));
        assertThat(denial.get("suggestion").asText()).contains("\"db.test:4\":\"allow\"");
    }

    @Test
    void whatCannotBeServedIsRefusedInTheWordsOfTheProtocol() {
        String error = "invalid network proxy config: transparent_tcp requires an enabled managed SOCKS5 proxy";
        assertThat(refused(allowed().with("enableSocks5", false)).errorMessage())
                .isEqualTo(error);
        assertThat(client.sendStart(Start.bash("true")
                                .with("networkProxy", allowed().json()))
                        .started()
                        .errorMessage())
                .isEqualTo("transparent TCP requires a managed Linux sandbox");
        assertThat(refused(allowed().with("transparentTcp", "x")).errorMessage())
                .contains("invalid type: string \"x\", expected a boolean");
    }

    @Test
    void withoutItNoNameResolvesAndNothingConnects() throws IOException {
        assertThat(python(allowed().with("transparentTcp", false), """
                import socket, errno
                print(errno.errorcode[socket.socket().connect_ex(("192.0.2.1", 80))])
                """)).isEqualTo("ENETUNREACH\n");
    }

    @Test
    void theOperatorCanWantItForAll() throws IOException {
        Files.writeString(workspace.resolve("p.py"), get("127.0.0.1"));
        try (ServerProcess forced = ServerProcess.listening("--linux-sandbox-transparent-tcp");
                WireClient asking = WireClient.connect(forced.port())) {
            asking.handshake();
            RemoteProcess process =
                    asking.start(ManagedNetwork.confined(Start.bash("/usr/bin/python3 p.py 2>&1"), workspace)
                            .with(
                                    "networkProxy",
                                    allowed().with("transparentTcp", false).json()));
            process.closed(LIMIT);
            assertThat(process.text()).isEqualTo("hello\n");
        }
    }

    @Test
    void connectionsGoThroughTheProxyOfTheOperator() throws IOException {
        Files.writeString(workspace.resolve("p.py"), get("only.upstream.test"));
        try (ForwardProxy upstream = ForwardProxy.on("127.0.0.1");
                ServerProcess forced = ServerProcess.listening("--tcp-upstream-proxy", "127.0.0.1:" + upstream.port());
                WireClient asking = WireClient.connect(forced.port())) {
            asking.handshake();
            RemoteProcess process =
                    asking.start(ManagedNetwork.confined(Start.bash("/usr/bin/python3 p.py 2>&1"), workspace)
                            .with(
                                    "networkProxy",
                                    ProxyConfig.allowing("only.upstream.test")
                                            .with("transparentTcp", true)
                                            .json()));
            process.closed(LIMIT);
            assertThat(process.text()).isEqualTo("hello\n");
            assertThat(upstream.requests()).contains("CONNECT only.upstream.test:" + http.port());
        }
    }
}
