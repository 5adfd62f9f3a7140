package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.DistributionCopy;
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
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Proxies, bridges and both together with a server that has no privilege at all. */
@Timeout(120)
class NetworkAsUserIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String NOBODY = "65534";

    private static DistributionCopy copy;
    private static ServerProcess server;
    private static WireClient client;
    private static RawHttpServer http;
    private static Path workspace;

    @BeforeAll
    static void start() throws IOException {
        copy = DistributionCopy.create("network-user-");
        workspace = directory("ws");
        Path spill = directory("spill");
        server = copy.start(() -> ServerProcess.listening(
                List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--bounding-set=-all"),
                Map.of(),
                "--spill-dir",
                spill.toString()));
        client = WireClient.connect(server.port());
        client.handshake();
        http = RawHttpServer.answering((request, out) -> {
            out.write(RawHttpServer.ok("hello"));
            throw new IOException("closed");
        });
    }

    private static Path directory(String name) throws IOException {
        Path made = Files.createDirectory(copy.folder().resolve(name));
        return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @AfterAll
    static void stop() {
        http.close();
        client.close();
        server.stop();
        copy.close();
    }

    private static String output(Start start) {
        RemoteProcess process = client.start(start);
        process.closed(LIMIT);
        return process.text();
    }

    private static String everyDoor() {
        String url = http.url("/");
        return "id -u; curl -sS %1$s; echo; curl -sS -p %1$s; echo; curl -sS --proxy $ALL_PROXY %1$s; echo; "
                        .formatted(url)
                + "curl -s -o /dev/null -w '%{http_code}\\n' http://no.example/; "
                + "(exec 3<>/dev/tcp/127.0.0.1/" + http.port() + ") 2>/dev/null && echo direct || echo only";
    }

    @Test
    void theProxyOfAProcessWorks() {
        assertThat(output(Start.bash(everyDoor())
                        .with("networkProxy", ProxyConfig.allowing("127.0.0.1").json())))
                .isEqualTo(NOBODY + "\nhello\nhello\nhello\n403\ndirect\n");
    }

    @Test
    void inASandboxItIsTheOnlyWayOut() {
        Start start = ManagedNetwork.confined(Start.bash(everyDoor()), workspace)
                .with("networkProxy", ProxyConfig.allowing("127.0.0.1").json());
        assertThat(output(start)).isEqualTo(NOBODY + "\nhello\nhello\nhello\n403\nonly\n");
    }

    @Test
    void programsThatKnowNoProxyAreServed() {
        Start start = ManagedNetwork.confined(
                        Start.bash("id -u; curl -sS --noproxy '*' " + http.url("/")
                                + "; echo; curl -s --noproxy '*' http://192.0.2.1/; echo $?"),
                        workspace)
                .with(
                        "networkProxy",
                        ProxyConfig.allowing("127.0.0.1:" + http.port())
                                .with("transparentTcp", true)
                                .json());
        assertThat(output(start)).startsWith(NOBODY + "\nhello\n7");
    }

    @Test
    void aRuleKnowsTheProgram() {
        Start start = ManagedNetwork.confined(
                        Start.bash("curl -sS --noproxy '*' " + http.url("/") + "; echo; (exec 3<>/dev/tcp/127.0.0.1/"
                                + http.port() + ") 2>/dev/null; echo $?"),
                        workspace)
                .with(
                        "networkProxy",
                        ProxyConfig.nothing()
                                .with("transparentTcp", true)
                                .with(
                                        "programDomains",
                                        Map.of("/usr/bin/curl", Map.of("127.0.0.1:" + http.port(), "allow")))
                                .json());
        assertThat(output(start)).isEqualTo("hello\n1\n");
    }

    @Test
    void theClientIsAskedAboutASandboxedProcess() {
        ProxyConfig config =
                ProxyConfig.allowing("127.0.0.1").review("127.0.0.1").asking(30_000);
        try (WireClient asked = WireClient.connect(server.port())) {
            asked.handshake();
            RemoteProcess process =
                    asked.start(ManagedNetwork.confined(Start.bash("curl -s " + http.url("/")), workspace)
                            .with("networkProxy", config.json()));
            asked.answer(asked.nextNetwork(), Json.object("decision", Json.object("type", "allow")));
            process.closed(LIMIT);
            assertThat(process.text()).isEqualTo("hello");
        }
    }

    @Test
    void aProxyOfSomebodyElseIsTheOnlyWayOutToo() {
        try (ForwardProxy proxy = ForwardProxy.on("127.0.0.1")) {
            String script = "curl -sS http://mirror.test:" + http.port() + "/; echo; curl -s --noproxy '*' "
                    + http.url("/") + "; echo rc=$?; perl -MSocket=:all -e 'socket(S,1,1,0) or print \"$!\"'";
            assertThat(output(ManagedNetwork.shell(script, workspace, proxy.url())))
                    .isEqualTo("hello\nrc=7\nOperation not permitted");
            assertThat(proxy.requests()).contains("GET http://mirror.test:" + http.port() + "/");
        }
    }
}
