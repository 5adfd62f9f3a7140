package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.ForwardProxy;
import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.NodeClient;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Programs as people use them, in a sandbox, through a proxy on the host, against servers on the host. */
@Timeout(120)
class ManagedNetworkClientsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir
    static Path site;

    private static ForwardProxy proxy;
    private static RawHttpServer host;

    @TempDir
    private Path workspace;

    @BeforeAll
    static void listen() {
        proxy = ForwardProxy.on("127.0.0.1");
        host = RawHttpServer.answering((request, out) -> file(request.path(), out));
    }

    @AfterAll
    static void close() {
        proxy.close();
        host.close();
    }

    private static void file(String target, OutputStream out) throws IOException {
        Path file = site.resolve(target.replaceFirst("\\?.*", "").substring(1));
        boolean there = Files.isRegularFile(file);
        byte[] body = there ? Files.readAllBytes(file) : new byte[0];
        out.write(("HTTP/1.1 " + (there ? "200 OK" : "404 Not Found") + "\r\nContent-Length: " + body.length
                        + "\r\nConnection: close\r\n\r\n")
                .getBytes(UTF_8));
        out.write(body);
    }

    private String inside(String script) {
        RemoteProcess process =
                SERVER.client().start(ManagedNetwork.shell("exec 2>&1\n" + script, workspace, proxy.url()));
        process.closed(LIMIT);
        return process.text();
    }

    private static String url(String path) {
        return "http://mirror.test:" + host.port() + path;
    }

    @Test
    void gitClones() {
        String repository = site.resolve("r.git").toString();
        RemoteProcess made = SERVER.client()
                .start(Start.bash("git init -q --bare " + repository + " && cd $(mktemp -d) && git init -q"
                        + " && git -c user.name=t -c user.email=t@t commit -q --allow-empty -m first && git push -q "
                        + repository + " HEAD:refs/heads/main && git --git-dir=" + repository
                        + " symbolic-ref HEAD refs/heads/main && git --git-dir=" + repository + " update-server-info"));
        made.closed(LIMIT);
        assertThat(inside("git clone -q " + url("/r.git") + " clone && git -C clone log --format=%s"))
                .endsWith("first\n");
    }

    @Test
    void curlFetchesByNameAndThroughATunnel() throws IOException {
        Files.writeString(site.resolve("curl.txt"), "by curl");
        assertThat(inside("curl -sS " + url("/curl.txt"))).isEqualTo("by curl");
        assertThat(inside("curl -sS --proxytunnel " + url("/curl.txt"))).isEqualTo("by curl");
        assertThat(proxy.requests()).contains("CONNECT mirror.test:" + host.port());
        assertThat(inside("curl -sS --noproxy '*' --max-time 20 " + url("/curl.txt")))
                .contains("Could not resolve host");
        assertThat(inside("curl -sS --noproxy '*' http://127.0.0.1:" + host.port() + "/curl.txt"))
                .contains("Failed to connect");
    }

    @Test
    void pythonFetchesAnIndexAsPipDoes() throws IOException {
        Files.createDirectories(site.resolve("simple"));
        Files.writeString(site.resolve("simple/index.html"), "<a>package</a>");
        assertThat(inside("/usr/bin/python3 -c 'import urllib.request as u; print(u.urlopen(\""
                        + url("/simple/index.html") + "\").read().decode())'"))
                .isEqualTo("<a>package</a>\n");
    }

    @Test
    void nodeFetchesByNameAndThroughATunnel() throws IOException {
        Files.writeString(site.resolve("node.txt"), "by node");
        assertThat(inside(NodeClient.fetching(url("/node.txt"))))
                .isEqualTo("forward 200 by node\ntunnel 200 by node\n");
        assertThat(proxy.requests()).contains("GET " + url("/node.txt"));
    }

    @Test
    void aWebSocketIsOpenedThroughTheProxy() {
        try (ServerProcess other = ServerProcess.listening()) {
            String upgrade = "GET / HTTP/1.1\\r\\nHost: 127.0.0.1:" + other.port()
                    + "\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n";
            // An empty close frame, masked; the answer is one too.
            assertThat(inside("exec 3<>/dev/tcp/127.0.0.1/61001; printf 'CONNECT localhost:" + other.port()
                            + " HTTP/1.1\\r\\n\\r\\n' >&3; head -c 19 <&3; printf '" + upgrade
                            + "' >&3; printf '\\x88\\x80\\x00\\x00\\x00\\x00' >&3; cat <&3 | od -An -c | head -3"))
                    .startsWith("HTTP/1.1 200 OK\r\n\r\n")
                    .contains("1   0   1");
        }
    }

    @Test
    void theCommandLineHasItToo() {
        List<String> command = ServerCommand.of(List.of(
                "sandbox",
                "--managed-network",
                "{\"loopbackPorts\":[" + proxy.port() + "]}",
                "--",
                "bash",
                "-c",
                "echo $http_proxy; exec 3<>/dev/tcp/127.0.0.1/61001; printf 'CONNECT x.test:" + host.port()
                        + " HTTP/1.1\\r\\n\\r\\n' >&3; head -c 15 <&3; exec 2>&1; exec 4<>/dev/tcp/127.0.0.1/"
                        + host.port()));
        Start start = Start.of(command.toArray(String[]::new))
                .env("http_proxy", proxy.url())
                .env("LANG", "C");
        RemoteProcess process = SERVER.client().start(start);
        process.closed(LIMIT);
        assertThat(process.text())
                .startsWith("http://127.0.0.1:61001\nHTTP/1.1 200 OK")
                .contains("Connection refused");
        RemoteProcess refused = SERVER.client().start(start.id("refused").env("http_proxy", "http://127.0.0.1:1"));
        refused.closed(LIMIT);
        assertThat(refused.text()).contains("proxy endpoint is outside the managed sandbox context");
        assertThat(refused.exited().exitCode()).isEqualTo(1);
    }

    @Test
    void afterAKillOfTheServerNothingIsLeft() {
        ServerProcess doomed = ServerProcess.listening();
        try (WireClient client = WireClient.connect(doomed.port())) {
            client.handshake();
            RemoteProcess process = client.start(ManagedNetwork.shell(
                            "exec 3<>/dev/tcp/127.0.0.1/61001; echo open; sleep 600", workspace, proxy.url())
                    .mark("bridge-orphan"));
            process.awaitText("open");
            doomed.killHard();
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> ProcFs.marked("bridge-orphan").isEmpty());
    }
}
