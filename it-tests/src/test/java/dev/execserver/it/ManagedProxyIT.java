package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sandbox whose only way out is the network proxy of its process. */
@Timeout(120)
class ManagedProxyIT {

    private static ServerProcess server;
    private static RawHttpServer http;

    private WireClient client;

    @BeforeAll
    static void start() {
        server = ServerProcess.listening();
        http = RawHttpServer.answering(ManagedProxyIT::answer);
    }

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    private static void answer(RawHttpServer.Request request, OutputStream out) throws IOException {
        out.write(RawHttpServer.ok("hello"));
        throw new IOException("closed");
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

    private RemoteProcess managed(ProxyConfig config, String script) {
        JsonNode profile = Json.parse(
                "{\"type\":\"managed\",\"network\":\"restricted\",\"file_system\":{\"type\":\"restricted\","
                        + "\"entries\":[{\"path\":{\"type\":\"special\",\"value\":{\"kind\":\"root\"}},\"access\":\"read\"}]}}");
        return client.start(Start.bash(script)
                .with(
                        "sandbox",
                        Json.object(
                                "permissions",
                                profile,
                                "cwd",
                                "file:///tmp",
                                "workspaceRoots",
                                List.of("file:///tmp"),
                                "windowsSandboxLevel",
                                "disabled"))
                .with("enforceManagedNetwork", true)
                .with("networkProxy", config.json()));
    }

    private String output(ProxyConfig config, String script) {
        RemoteProcess process = managed(config, script);
        process.closed(Duration.ofSeconds(60));
        return process.text();
    }

    @Test
    void everyDoorOfTheProxyIsReachedFromInside() {
        String url = http.url("/");
        assertThat(output(
                        ProxyConfig.allowing("127.0.0.1"),
                        "curl -sS %s; echo; curl -sS -p %s; echo; curl -sS --proxy $ALL_PROXY %s; echo; curl -s -o /dev/null -w '%%{http_code}' http://no.example/"
                                .formatted(url, url, url)))
                .isEqualTo("hello\nhello\nhello\n403");
        for (int i = 0; i < 4; i++) {
            JsonNode decision = client.nextNetwork().get("params");
            assertThat(decision.get("client").asText()).isEqualTo("sandbox");
        }
    }

    @Test
    void thereIsNoOtherWay() {
        int port = Integer.parseInt(http.url("").substring(http.url("").lastIndexOf(':') + 1));
        String direct = "(exec 3<>/dev/tcp/%s/%s) 2>/dev/null && echo open || echo closed; ";
        assertThat(output(
                        ProxyConfig.allowing("127.0.0.1"),
                        direct.formatted("127.0.0.1", port)
                                + direct.formatted("127.0.0.1", server.port())
                                + direct.formatted("192.0.2.1", 80)
                                + direct.formatted("::1", port)))
                .isEqualTo("closed\nclosed\nclosed\nclosed\n");
    }

    @Test
    void theServerIsNotReachedThroughTheProxyEither() {
        assertThat(output(
                        ProxyConfig.allowing("127.0.0.1").with("allowLocalBinding", true),
                        "unset NO_PROXY no_proxy; curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:"
                                + server.port() + "/readyz"))
                .isEqualTo("403");
    }

    @Test
    void theClientIsAskedAboutWhatIsInside() {
        RemoteProcess process = managed(
                ProxyConfig.allowing("127.0.0.1").review("127.0.0.1").asking(30_000), "curl -s " + http.url("/"));
        client.answer(client.nextNetwork(), Json.object("decision", Json.object("type", "allow")));
        process.closed();
        assertThat(process.text()).isEqualTo("hello");
    }
}
