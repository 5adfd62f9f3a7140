package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The operator's rules about connections, changed while a command runs. */
@Timeout(180)
class NetworkRulesReloadIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** Asks again and again, by the proxy and by itself, and prints each change of what it gets. */
    private static final String ASK = """
            last=
            while [ ! -e end ]; do
              by=$(curl -s -o /dev/null -w '%%{http_code}' http://db.test:%1$d/)
              alone=$( (exec 3<>/dev/tcp/db.test/%1$d) 2>/dev/null && echo open || echo shut)
              [ "$last" = "$by $alone" ] || echo "$by $alone"
              last="$by $alone"
            done
            """;

    private static final String DENY = "network_rule(\"db.test\", \"http\", \"deny\")\n";

    @TempDir
    private Path folder;

    @TempDir
    private Path workspace;

    private ServerProcess server;
    private WireClient client;
    private RawHttpServer http;

    @BeforeEach
    void start() throws IOException {
        Path hosts = Files.writeString(workspace.resolve("hosts"), "127.0.0.1 db.test\n");
        Files.writeString(folder.resolve("a.rules"), "prefix_rule([\"no-such-program\"], \"forbidden\")\n");
        server = ServerProcess.listening(
                List.of(),
                Map.of("JAVA_TOOL_OPTIONS", "-Djdk.net.hosts.file=" + hosts),
                "--log-level",
                "info",
                "--exec-rules",
                folder.toString());
        client = WireClient.connect(server.port());
        client.handshake();
        http = RawHttpServer.answering((request, out) -> {
            out.write(RawHttpServer.ok("hello"));
            throw new IOException("closed");
        });
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
        http.close();
    }

    /** Exchanges the file at once: the server reads no half of it. */
    private void write(String rules) throws IOException {
        Path made = Files.writeString(workspace.resolve("new.rules"), rules);
        Files.move(made, folder.resolve("a.rules"), StandardCopyOption.ATOMIC_MOVE);
    }

    private RemoteProcess asking(ProxyConfig config) {
        return client.start(ManagedNetwork.confined(Start.bash(ASK.formatted(http.port())), workspace)
                .env("LANG", "C")
                .with("networkProxy", config.with("transparentTcp", true).json()));
    }

    @Test
    void theyHoldForARunningCommandFromItsNextConnectionOnAndTheLogSaysSo() throws IOException {
        RemoteProcess process = asking(ProxyConfig.allowing("db.test", "127.0.0.1"));
        process.awaitText("200 open\n");
        write(DENY);
        process.awaitText("403 open\n");
        server.awaitStderr("1 for connections, which hold from the next connection of each command on");
        write(DENY + DENY.replace("http", "socks5_tcp"));
        process.awaitText("403 shut\n");
        write("network_rule(\"db.test\", \"socks5_tcp\", \"allow\")\n");
        // The two connections of a line may be on both sides of the change.
        String all = await().atMost(LIMIT).until(process::text, text -> text.lastIndexOf("200 open\n") > 0);
        assertThat(all).matches("200 open\n403 open\n403 shut\n(403 open\n)?200 open\n");
        Files.createFile(workspace.resolve("end"));
        process.closed(LIMIT);
    }

    @Test
    void theStrictestOfOperatorAndClientWinsAndTheOperatorOpensNothing() throws IOException {
        write("network_rule(\"db.test\", \"http\", \"allow\")\nnetwork_rule(\"db.test\", \"socks5_tcp\", \"allow\")\n");
        server.awaitStderr("2 for connections");
        RemoteProcess closed = asking(ProxyConfig.allowing("127.0.0.1"));
        closed.awaitText("403 shut\n");
        Files.createFile(workspace.resolve("end"));
        closed.closed(LIMIT);
        Files.delete(workspace.resolve("end"));

        write(DENY.replace("deny", "prompt"));
        server.awaitStderr("1 for connections");
        String once = "curl -s -o /dev/null -w '%%{http_code}' http://db.test:%d/".formatted(http.port());
        RemoteProcess asked = client.start(ManagedNetwork.confined(Start.bash(once), workspace)
                .with(
                        "networkProxy",
                        ProxyConfig.allowing("db.test", "127.0.0.1")
                                .asking(60_000)
                                .json()));
        JsonNode question = client.nextNetwork();
        while (!question.has("id")) {
            question = client.nextNetwork(); // decisions
        }
        assertThat(question.get("params").get("request").get("host").asText()).isEqualTo("db.test");
        client.answer(question, Json.object("decision", Json.object("type", "allow")));
        asked.closed(LIMIT);
        assertThat(asked.text()).isEqualTo("200");
    }

    @Test
    void aProgramThatCanNeverConnectLeavesTheLastGoodRulesInForce() throws IOException {
        Path script = Files.writeString(workspace.resolve("s"), "#!/bin/sh\n");
        write("network_rule(\"db.test\", \"socks5_tcp\", \"deny\", program=\"%s\")\n".formatted(script));
        server.awaitStderr("the rules that were read before stay in force: --exec-rules: network_rule program `"
                + script + "` can never match: it is a script; name its interpreter");
    }
}
