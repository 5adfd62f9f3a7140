package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.GitServer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.NodeClient;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real programs through the network proxy of their process, against servers on loopback. */
@Timeout(120)
class NetworkProxyIT {

    private static ServerProcess server;
    private static RawHttpServer http;

    private WireClient client;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        server = ServerProcess.listening("--log-level", "info");
        http = RawHttpServer.answering(NetworkProxyIT::answer);
    }

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    private static void answer(RawHttpServer.Request request, OutputStream out) throws IOException {
        out.write(RawHttpServer.ok("hello " + request.line()));
        throw new IOException("closed"); // the connection with it
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

    private RemoteProcess proxied(ProxyConfig config, Start start) {
        return client.start(start.with("networkProxy", config.json()));
    }

    private String output(ProxyConfig config, String script) {
        RemoteProcess process = proxied(config, Start.bash(script));
        process.closed(Duration.ofSeconds(60));
        return process.text();
    }

    @Test
    void curlReachesWhatIsAllowedByEveryDoor() {
        String url = http.url("/x");
        String text = output(
                ProxyConfig.allowing("127.0.0.1"),
                "curl -sS %s; echo; curl -sS -p %s; echo; curl -sS --proxy $ALL_PROXY %s".formatted(url, url, url));
        assertThat(text.lines())
                .containsExactly("hello GET /x HTTP/1.1", "hello GET /x HTTP/1.1", "hello GET /x HTTP/1.1");
        for (String protocol : List.of("http", "https_connect", "socks5_tcp")) {
            JsonNode decision = client.nextNetwork().get("params");
            assertThat(decision.get("protocol").asText()).isEqualTo(protocol);
            assertThat(decision.get("decision").asText()).isEqualTo("allow");
        }
    }

    @Test
    void networkRulesAddToTheListsOfTheirProtocol() {
        String rules = "network_rule('127.0.0.1', 'http', 'allow')\nnetwork_rule('127.0.0.1', 'https', 'deny')";
        Start start = Start.bash("curl -sS %s; echo; curl -sS -p %s; echo $?".formatted(http.url("/x"), http.url("/x")))
                .with("execPolicy", Json.object("rules", List.of(Json.object("name", "net.rules", "text", rules))));

        RemoteProcess process = proxied(ProxyConfig.nothing(), start);

        process.closed(Duration.ofSeconds(60));
        assertThat(process.text()).startsWith("hello GET /x HTTP/1.1\n").endsWith("56\n");
        assertThat(client.nextNetwork().at("/params/decision").asText()).isEqualTo("allow");
        assertThat(client.nextNetwork().at("/params/reason").asText()).isEqualTo("denied");
    }

    @Test
    void whatIsNotAllowedIsRefusedWithTheDocumentedHeader() {
        String text = output(
                ProxyConfig.allowing("a.example").deny("bad.example"),
                "curl -s -D - -o /dev/null http://bad.example/ | grep -i '^x-proxy\\|^HTTP';"
                        + "curl -s -D - -o /dev/null http://other.example/ | grep -i ^x-proxy;"
                        + "curl -s https://other.example/; echo rc=$?;"
                        + "curl -s --proxy $ALL_PROXY http://other.example/; echo rc=$?;"
                        + "curl -s -o /dev/null -w '%{http_code}' http://169.254.169.254/latest/meta-data");
        assertThat(text.replace("\r", "").lines())
                .containsExactly(
                        "HTTP/1.1 403 Forbidden",
                        "x-proxy-error: blocked-by-denylist",
                        "x-proxy-error: blocked-by-allowlist",
                        "rc=56",
                        "rc=97",
                        "403");
    }

    @Test
    void theServerItselfIsOutOfReach() {
        String text = output(
                ProxyConfig.allowing("127.0.0.1", "localhost").with("allowLocalBinding", true),
                "unset NO_PROXY no_proxy; for h in 127.0.0.1 localhost '[::ffff:127.0.0.1]'; do"
                        + " curl -g -s -o /dev/null -w '%{http_code} ' http://$h:" + server.port() + "/readyz; done");
        assertThat(text).isEqualTo("403 403 403 ");
    }

    @Test
    void gitClonesAndPushesOverSmartHttp() throws IOException {
        try (GitServer git = new GitServer(directory)) {
            String script = """
                    set -e
                    export HOME=%1$s GIT_CONFIG_NOSYSTEM=1
                    git init -q --bare -b main %1$s/origin.git
                    git -C %1$s/origin.git config http.receivepack true
                    git clone -q %2$s %1$s/one 2>&1 | grep -v "empty repository" || true
                    cd %1$s/one
                    head -c 3000000 /dev/urandom > big
                    git add big
                    git -c user.name=a -c user.email=a@b commit -q -m one
                    git push -q origin HEAD:main 2>&1
                    git clone -q %2$s %1$s/two
                    cmp big %1$s/two/big && echo same
                    """;
            assertThat(output(ProxyConfig.allowing("127.0.0.1"), script.formatted(directory, git.url("origin.git"))))
                    .isEqualTo("same\n");
            assertThat(output(
                            ProxyConfig.nothing(),
                            "HOME=%s git ls-remote %s 2>&1; echo rc=$?".formatted(directory, git.url("origin.git"))))
                    .contains("403")
                    .endsWith("rc=128\n");
        }
    }

    @Test
    void pythonAndNodeUseTheirVariables() {
        String url = http.url("/x");
        assertThat(output(
                        ProxyConfig.allowing("127.0.0.1"),
                        "python3 -c 'import urllib.request as u; print(u.urlopen(\"%s\").read().decode())' 2>&1"
                                .formatted(url)))
                .isEqualTo("hello GET /x HTTP/1.1\n");
        assertThat(output(
                        ProxyConfig.nothing(),
                        "python3 -c 'import urllib.request as u; u.urlopen(\"%s\")' 2>&1 | tail -1".formatted(url)))
                .isEqualTo("urllib.error.HTTPError: HTTP Error 403: Forbidden\n");
        assertThat(output(ProxyConfig.allowing("127.0.0.1"), NodeClient.fetching(url)))
                .isEqualTo("forward 200 hello GET /x HTTP/1.1\ntunnel 200 hello GET /x HTTP/1.1\n");
        assertThat(output(ProxyConfig.nothing(), NodeClient.fetching(url)))
                .startsWith("forward 403 {")
                .endsWith("tunnel 403\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "enabled | false | invalid network proxy config: executor-local network proxy launch requires an enabled proxy",
                "mode | \"x\" | unknown variant `x`, expected `limited` or `full`",
                "domains | {\"*\":\"deny\"} | invalid network proxy config: invalid value for network.denied_domains: *",
                "domains | {\"a b\":\"allow\"} | invalid network proxy config: unsupported domain pattern syntax: a b",
                "reviewDomains | [\"\"] | invalid network proxy config: domain pattern is empty"
            })
    void aConfigurationThatIsNoneIsRefusedAndItsIdIsFree(String member, String value, String message) {
        ProxyConfig config = ProxyConfig.nothing().with(member, Json.parse(value));
        var started = client.sendStart(Start.shell("true").id("p").with("networkProxy", config.json()))
                .started();
        assertThat(started.errorCode()).isEqualTo(-32602);
        assertThat(started.errorMessage()).startsWith(message);
        assertThat(client.start(Start.shell("true").id("p")).exited().exitCode())
                .isZero();
    }

    @Test
    void aTimeoutOfZeroIsRefused() {
        String error = client.sendStart(Start.shell("true")
                        .with("networkProxy", ProxyConfig.nothing().asking(0).json()))
                .started()
                .errorMessage();
        assertThat(error).isEqualTo("network policy decision callback timeout must be nonzero");
    }

    @Test
    void theProxyEndsWithTheLastProgramOfTheProcess() {
        RemoteProcess process = proxied(
                ProxyConfig.allowing("127.0.0.1"),
                Start.bash("echo $HTTP_PROXY; setsid sleep 600 >/dev/null 2>&1 </dev/null & echo $!"));
        process.closed();
        String[] lines = process.text().split("\n");
        int port = Integer.parseInt(lines[0].substring(lines[0].lastIndexOf(':') + 1));
        assertThat(listens(port)).as("a daemon still runs").isTrue();
        client.start(Start.of("kill", lines[1])).exited();
        await().atMost(Duration.ofSeconds(30)).until(() -> !listens(port));
    }

    @Test
    void terminateEndsTheProxyAtOnce() {
        RemoteProcess process = proxied(ProxyConfig.nothing(), Start.bash("echo $HTTP_PROXY; sleep 600"));
        String text = process.awaitText("\n").strip();
        int port = Integer.parseInt(text.substring(text.lastIndexOf(':') + 1));
        assertThat(listens(port)).isTrue();
        process.send("process/terminate").result();
        await().atMost(Duration.ofSeconds(30)).until(() -> !listens(port));
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void everyConnectionIsInTheAccessLogWithItsPrincipalAndNoCredentialIs() {
        int port = http.port();
        ObjectNode config = ProxyConfig.allowing("127.0.0.1").json();
        config.put("executionId", "exec-7");
        config.set("auditMetadata", Json.object("conversationId", "c 1", "forged", "x\nprocess=\"other\"", "n", 5));
        String script = """
                curl -s -H 'Authorization: Bearer topsecret' -U user:hiddenpass http://127.0.0.1:%1$s/secret-path?secret=q -d secret-body
                curl -s http://user:hiddenpass@127.0.0.1:%1$s/secret-path
                curl -s -p -U user:hiddenpass http://user:hiddenpass@127.0.0.1:%1$s/secret-path
                curl -s http://user:hiddenpass@denied.example/secret
                exec 3<>/dev/tcp/127.0.0.1/${HTTP_PROXY##*:}
                printf 'GET http://user:hiddenpass@127.0.0.1:%1$s/ HTTP/1.1\\r\\nHost: 127.0.0.1:%1$s\\r\\nConnection: close\\r\\n\\r\\n' >&3
                cat <&3
                """.formatted(port);
        RemoteProcess process = client.start(Start.bash(script).with("networkProxy", config));
        process.closed(Duration.ofSeconds(60));
        await().atMost(Duration.ofSeconds(20)).until(() -> logged(process).size() >= 5);
        assertThat(logged(process))
                .hasSize(5)
                .allMatch(
                        line -> line.endsWith(
                                " execution=\"exec-7\" audit.conversationId=\"c 1\" audit.forged=\"x\\u000aprocess=\\\"other\\\"\""))
                .anySatisfy(line -> assertThat(line)
                        .contains("host=\"127.0.0.1\"", "outcome=\"status 200\"", "rule=\"allow 127.0.0.1\""))
                .anySatisfy(line -> assertThat(line).contains("method=\"CONNECT\"", "outcome=\"closed\""))
                .anySatisfy(line -> assertThat(line)
                        .contains("host=\"denied.example\"", "outcome=\"deny by baseline_policy: not_allowed\""));
        assertThat(server.stderr()).doesNotContain("secret").doesNotContain("hiddenpass");
    }

    private static List<String> logged(RemoteProcess process) {
        return server.stderr()
                .lines()
                .filter(line -> line.contains("network - process=\"" + process.id() + "\""))
                .toList();
    }

    @Test
    void aStartGivesTheVariablesOfTheProtocol() {
        String text =
                output(ProxyConfig.nothing(), "env | grep -i 'proxy\\|local_binding' | sort | sed s/:[0-9]*$/:PORT/");
        assertThat(text.lines().toList())
                .contains(
                        "ALL_PROXY=socks5h://127.0.0.1:PORT",
                        "HTTP_PROXY=http://127.0.0.1:PORT",
                        "https_proxy=http://127.0.0.1:PORT",
                        "NO_PROXY=",
                        "CODEX_NETWORK_PROXY_ACTIVE=1",
                        "CODEX_NETWORK_ALLOW_LOCAL_BINDING=0",
                        "NODE_USE_ENV_PROXY=1")
                .hasSize(34);
        assertThat(output(ProxyConfig.nothing().with("enableSocks5", false), "echo $ALL_PROXY")
                        .getBytes(UTF_8))
                .asString(UTF_8)
                .startsWith("http://127.0.0.1:");
    }
}
