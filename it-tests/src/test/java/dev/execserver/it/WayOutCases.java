package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C54: a sandboxed command with the network connects to a server of its user, which would let it out. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WayOutCases {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String REFUSED = "HTTP/1.1 403 Forbidden\n";
    private static final String SERVED = "HTTP/1.1 101 Switching Protocols\n";

    @TempDir
    private static Path shared;

    private ServerProcess server;
    private WireClient client;

    /** Starts a server with these options, through a program that runs as the user of the tests. */
    abstract ServerProcess start(List<String> prefix, String... arguments);

    ServerProcess start(String... arguments) {
        return start(List.of(), arguments);
    }

    /** Starts one that has no folder in common with others, as with PrivateTmp= of systemd.exec(5). */
    private ServerProcess startApart(String... arguments) {
        String script =
                "mount -t tmpfs -o mode=1777 none /tmp && mount -t tmpfs -o mode=755 none /run && exec \"$0\" \"$@\"";
        return start(List.of("unshare", "--mount", "--propagation", "private", "sh", "-c", script), arguments);
    }

    @BeforeAll
    void startServer() {
        server = start("--listen", "ws://127.0.0.1:0");
        client = connect(server);
    }

    @AfterAll
    void stopServer() {
        client.close();
        server.close();
    }

    /** A place that the server's user may write. */
    private static Path workspace() {
        try {
            Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
            Path workspace = shared.resolve("ws");
            if (!Files.isDirectory(workspace)) {
                Files.createDirectory(workspace);
                Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("rwxrwxrwx"));
                try (InputStream script = WayOutCases.class.getResourceAsStream("/wayout/connect.py")) {
                    Files.copy(script, workspace.resolve("connect.py"));
                }
                Files.setPosixFilePermissions(
                        workspace.resolve("connect.py"), PosixFilePermissions.fromString("rw-r--r--"));
            }
            return workspace;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Start unconfined(String... argv) {
        return Start.of(argv).with("cwd", workspace().toUri().toString());
    }

    /** What the real client asks for: everything readable, the workspace writable, the network open. */
    private static Start confined(String... argv) {
        return confined(Policies.workspaceWrite(workspace()), argv);
    }

    private static Start confined(ObjectNode sandbox, String... argv) {
        ((ObjectNode) sandbox.get("permissions")).put("network", "enabled");
        return unconfined(argv).with("sandbox", sandbox);
    }

    private static Start readOnly(String... argv) {
        return confined(Policies.of(workspace(), Policies.entry("root", "read")), argv);
    }

    private static String[] connecting(String host, int port, String... way) {
        List<String> argv = new ArrayList<>(List.of(
                "/usr/bin/python3", workspace().resolve("connect.py").toString(), host, Integer.toString(port)));
        argv.addAll(List.of(way));
        return argv.toArray(String[]::new);
    }

    private static WireClient connect(ServerProcess server) {
        WireClient client = WireClient.connect(server.port());
        client.handshake();
        return client;
    }

    private static String output(WireClient client, Start start) {
        RemoteProcess process = client.start(start);
        process.closed(LIMIT);
        return process.text();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "plain",
                "orphan of two forks in its own session",
                "not dumpable",
                "taken over from a child that has ended",
                "in the queue of a Unix socket",
                "bound to an interface",
                "in the descriptors of one thread",
                "without its mark",
                "health check",
                "files"
            })
    void c54_noConnectionOfASandboxedCommandIsServed(String way) {
        assertThat(output(client, confined(connecting("127.0.0.1", server.port(), way))))
                .isEqualTo(REFUSED);
        server.awaitStderr("refused");
    }

    @Test
    void c54_norOverAnyAddressOfThisMachine() {
        try (ServerProcess server = start("--listen", "ws://[::]:0");
                WireClient client = connect(server)) {
            for (String address : List.of("127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1", "0.0.0.0")) {
                assertThat(output(client, confined(connecting(address, server.port(), "plain"))))
                        .as(address)
                        .isEqualTo(REFUSED);
            }
            String others = output(
                    client,
                    unconfined(
                            "sh",
                            "-c",
                            "hostname -I 2>/dev/null || ip -o addr show scope global | awk '{print $4}' | cut -d/ -f1"));
            for (String address : others.strip().split("\\s+")) {
                if (!address.isEmpty()) {
                    assertThat(output(client, confined(connecting(address, server.port(), "plain"))))
                            .as(address)
                            .isEqualTo(REFUSED);
                }
            }
        }
    }

    @Test
    void c54_whatACommandHasSentBeforeItsEndIsNotCarriedOut() {
        Path made = workspace().resolve("made");
        output(client, confined(connecting("127.0.0.1", server.port(), "gone at once", frames(made))));
        server.awaitStderr("refused");
        assertThat(made).doesNotExist();
    }

    /** The other server is too slow to look while the command lives. */
    @Test
    void c54_norWhatItHasSentToAnotherServerBeforeItsOwnOneWasKilled() {
        Path made = workspace().resolve("made-after-a-kill");
        try (ServerProcess own = start("--listen", "ws://127.0.0.1:0");
                ServerProcess other = start("--listen", "ws://127.0.0.1:0");
                WireClient ofOwn = connect(own)) {
            hold(other);
            ofOwn.start(confined(connecting("127.0.0.1", other.port(), "many that end together", frames(made), "stay")))
                    .awaitText("sent");
            own.killHard();
            awaitEndOf("many that end together");
            signal(other, "CONT");
            assertRefusedAndServing(other, made);
        }
    }

    @Test
    void c54_norWhatItHasSentBeforeTheEndOfExecServerSandbox() {
        Path made = workspace().resolve("made-after-the-end");
        try (ServerProcess other = start("--listen", "ws://127.0.0.1:0")) {
            hold(other);
            assertThat(sandbox(List.of(), connecting("127.0.0.1", other.port(), "many that end together", frames(made)))
                            .exitStatus())
                    .isZero();
            signal(other, "CONT");
            assertRefusedAndServing(other, made);
        }
    }

    @Test
    void c54_aDaemonThatHasOutlivedExecServerSandboxIsStillACommand() {
        ServerProcess ended =
                sandbox(List.of("--use-legacy-landlock"), connecting("127.0.0.1", server.port(), "after its parent"));
        assertThat(ended.exitStatus()).isZero();
        await("an answer to the daemon")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(ended.stdoutLines()).containsExactly(REFUSED.strip()));
    }

    /** Everything may be read and nothing written, which Landlock can enforce. */
    private ServerProcess sandbox(List<String> options, String... command) {
        List<String> arguments = new ArrayList<>(List.of("sandbox", "--profile"));
        arguments.add(readOnly().params().get("sandbox").get("permissions").toString());
        arguments.addAll(List.of("--cwd", workspace().toString()));
        arguments.addAll(options);
        arguments.add("--");
        arguments.addAll(List.of(command));
        return start(arguments.toArray(String[]::new));
    }

    private static void assertRefusedAndServing(ServerProcess other, Path made) {
        other.awaitStderr("refused");
        try (WireClient client = connect(other)) {
            // Whatever was accepted before has been decided then.
            assertThat(output(client, unconfined("echo", "served"))).isEqualTo("served\n");
        }
        assertThat(made).doesNotExist();
    }

    /** Keeps a server that listens from looking at who connects. */
    private static void hold(ServerProcess server) {
        server.url();
        signal(server, "STOP");
    }

    private static void signal(ServerProcess process, String name) {
        try {
            assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void awaitEndOf(String argument) {
        await("the end of the command")
                .atMost(LIMIT)
                .until(() -> ProcessHandle.allProcesses()
                        .noneMatch(each -> each.info().commandLine().orElse("").contains(argument)));
    }

    /** The handshake and a start without a sandbox, as masked frames with a mask of zero. */
    private static String frames(Path made) {
        StringBuilder hex = new StringBuilder();
        for (Object message : List.of(
                Json.object("id", 1, "method", "initialize", "params", Json.object("clientName", "way out")),
                Json.object("method", "initialized", "params", Json.object()),
                Json.object(
                        "id",
                        2,
                        "method",
                        "process/start",
                        "params",
                        unconfined("touch", made.toString()).params()))) {
            byte[] text = message.toString().getBytes(StandardCharsets.UTF_8);
            hex.append("81fe%04x00000000".formatted(text.length))
                    .append(HexFormat.of().formatHex(text));
        }
        return hex.toString();
    }

    @Test
    void c54_norUnderLandlock() {
        try (ServerProcess server = start("--listen", "ws://127.0.0.1:0", "--sandbox-backend", "landlock");
                WireClient client = connect(server)) {
            for (String way : List.of("plain", "orphan of two forks in its own session", "not dumpable")) {
                assertThat(output(client, readOnly(connecting("127.0.0.1", server.port(), way))))
                        .as(way)
                        .isEqualTo(REFUSED);
            }
        }
    }

    @Test
    void c54_norWithThePidsOfTheHost() {
        try (ServerProcess server = start("--listen", "ws://127.0.0.1:0", "--linux-sandbox-pid-namespace", "inherit");
                WireClient client = connect(server)) {
            assertThat(output(client, confined(connecting("127.0.0.1", server.port(), "plain"))))
                    .isEqualTo(REFUSED);
        }
    }

    @Test
    void c54_whoIsNotConfinedIsServedMeanwhile() {
        RemoteProcess running = client.start(confined("sh", "-c", "echo ready; exec sleep 60"));
        running.awaitText("ready");
        try (WireClient second = connect(server)) {
            assertThat(output(second, unconfined(connecting("127.0.0.1", server.port(), "plain"))))
                    .isEqualTo(SERVED);
            assertThat(output(second, confined(connecting("127.0.0.1", server.port(), "plain"))))
                    .isEqualTo(REFUSED);
        }
        running.terminate();
    }

    @Test
    void c54_aCommandWithoutNetworkDoesNotGetThere() {
        Start start = unconfined(connecting("127.0.0.1", server.port(), "plain"))
                .with("sandbox", Policies.workspaceWrite(workspace()));
        assertThat(output(client, start)).doesNotContain("HTTP/");
    }

    @Test
    void c54_theServerSaysThatItCanTell() {
        assertThat(client.call("sandbox/status").result().get("findings")).anySatisfy(finding -> {
            assertThat(finding.get("layer").asText()).isEqualTo("connections");
            assertThat(finding.get("status").asText()).isEqualTo("ok");
        });
    }

    @Test
    void c54_noServerIsReachedThroughAProxyOrABridge() {
        try (ServerProcess other = start("--listen", "ws://127.0.0.1:0")) {
            for (ServerProcess each : List.of(server, other)) {
                assertThat(output(client, proxied(each))).isEqualTo("403");
                assertThat(output(client, bridged(each))).isEqualTo("403");
            }
        }
    }

    @Test
    void c54_norOneThatHasNoFolderInCommonWithTheOwnOne() {
        try (ServerProcess apart = startApart("--listen", "ws://127.0.0.1:0")) {
            assertThat(output(client, confined(connecting("127.0.0.1", apart.port(), "plain"))))
                    .isEqualTo(REFUSED);
            assertThat(output(client, proxied(apart))).isEqualTo("403");
            assertThat(output(client, bridged(apart))).isEqualTo("403");
            try (WireClient second = connect(apart)) {
                assertThat(output(second, Start.of("echo", "served"))).isEqualTo("served\n");
            }
        }
    }

    /** The status of a request through the proxy of a process, which may go everywhere. */
    private static Start proxied(ServerProcess to) {
        return unconfined(status(to))
                .with("networkProxy", ProxyConfig.allowing("127.0.0.1").json());
    }

    /** The same out of a managed network, whose only way out is said to be a proxy and is the server. */
    private static Start bridged(ServerProcess to) {
        return ManagedNetwork.shell(
                "'" + String.join("' '", status(to)) + "'", workspace(), "http://127.0.0.1:" + to.port());
    }

    private static String[] status(ServerProcess to) {
        String url = "http://127.0.0.1:" + to.port() + "/readyz";
        return new String[] {"curl", "-s", "--noproxy", "", "-o", "/dev/null", "-w", "%{http_code}", url};
    }

    @Test
    void c54_aCommandUnderLandlockCannotKeepOthersFromWorkingByLocks() {
        String lockAll = "for each in /run/exec-server /run/user/*/exec-server /tmp/exec-server-*; do"
                + " for file in $each $each/*; do flock --exclusive --nonblock $file sleep 600 & done; done; echo locked; wait";
        try (ServerProcess landlock = start("--listen", "ws://127.0.0.1:0", "--sandbox-backend", "landlock");
                WireClient ofLandlock = connect(landlock)) {
            RemoteProcess locking = ofLandlock.start(readOnly("sh", "-c", lockAll));
            locking.awaitText("locked");
            try (ServerProcess second = start("--listen", "ws://127.0.0.1:0");
                    WireClient ofSecond = connect(second)) {
                assertThat(output(ofSecond, confined("echo", "sandboxed"))).isEqualTo("sandboxed\n");
                assertThat(output(ofSecond, bridged(second))).isEqualTo("403");
            }
            locking.terminate();
        }
    }
}
