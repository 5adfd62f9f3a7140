package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.TcpPeer;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients of many kinds that know no proxy, each allowed, denied and asked about, and git over ssh. */
@Timeout(240)
class TransparentTcpClientsIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final String ANSWER = "PONG";

    private static ServerProcess server;
    private static TcpPeer words;

    @TempDir
    private static Path folder;

    @TempDir
    private Path workspace;

    private WireClient client;

    /** A program that says something to HOST and PORT and prints the answer. */
    enum Program {
        NC("printf 'PING\\r\\n' | nc -v -w 60 HOST PORT"),
        REDIS("redis-cli -h HOST -p PORT PING"),
        CURL("curl -sS --noproxy '*' http://HOST:PORT/"),
        BASH("exec 3<>/dev/tcp/HOST/PORT; printf 'PING\\r\\n' >&3; head -1 <&3"),
        PYTHON("/usr/bin/python3 -c 'import socket; s = socket.create_connection((\"HOST\", PORT)); "
                + "s.sendall(b\"PING\\r\\n\"); print(s.recv(100))'"),
        NODE("node -e 'const s = require(\"net\").connect(PORT, \"HOST\", () => s.write(\"PING\\r\\n\")); "
                + "s.on(\"data\", d => console.log(String(d)))'"),
        JAVA(System.getProperty("java.home") + "/bin/java -XX:TieredStopAtLevel=1 Get.java HOST PORT");

        private final String command;

        Program(String command) {
            this.command = command;
        }

        String to(String host, int port) {
            return command.replace("HOST", host).replace("PORT", Integer.toString(port)) + " 2>&1";
        }
    }

    @BeforeAll
    static void start() throws IOException {
        Path file = Files.writeString(folder.resolve("hosts"), "127.0.0.1 db.test other.test\n");
        server = ServerProcess.listening(
                List.of(), Map.of("JAVA_TOOL_OPTIONS", "-Djdk.net.hosts.file=" + file), "--log-level", "info");
        words = TcpPeer.serving(TransparentTcpClientsIT::answer);
    }

    private static void answer(Socket peer) throws IOException {
        InputStream in = peer.getInputStream();
        boolean web = in.read() == 'G';
        String head = web ? "HTTP/1.0 200 OK\r\nContent-Length: 7\r\n\r\n" : "";
        peer.getOutputStream().write((head + "+PONG\r\n").getBytes(StandardCharsets.US_ASCII));
        peer.shutdownOutput();
        in.readAllBytes();
    }

    @AfterAll
    static void stop() {
        words.close();
        server.close();
    }

    @BeforeEach
    void connect() throws IOException {
        client = WireClient.connect(server.port());
        client.handshake();
        Files.writeString(workspace.resolve("Get.java"), """
                class Get {
                    public static void main(String[] a) throws Exception {
                        try (var s = new java.net.Socket(a[0], Integer.parseInt(a[1]))) {
                            s.getOutputStream().write("PING\\r\\n".getBytes());
                            System.out.println(new String(s.getInputStream().readAllBytes()));
                        }
                    }
                }
                """);
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private static ProxyConfig allowed(int port) {
        return ProxyConfig.allowing("db.test:" + port, "127.0.0.1").with("transparentTcp", true);
    }

    private RemoteProcess begun(ProxyConfig config, String script) {
        String clear =
                "unset ${!npm_config*} ${!NPM*} HTTP_PROXY HTTPS_PROXY http_proxy https_proxy ALL_PROXY all_proxy"
                        + " NODE_USE_ENV_PROXY; ";
        return client.start(ManagedNetwork.confined(Start.bash(clear + script), workspace)
                .env("LANG", "C")
                .env("HOME", workspace.toString())
                .with("networkProxy", config.json()));
    }

    private String output(ProxyConfig config, String script) {
        RemoteProcess process = begun(config, script);
        process.closed(LIMIT);
        return process.text();
    }

    @ParameterizedTest
    @EnumSource
    void aClientIsAllowedDeniedAndAskedAbout(Program program) {
        int port = words.port();
        assertThat(output(allowed(port), program.to("db.test", port))).contains(ANSWER);
        assertThat(output(allowed(1), program.to("db.test", port)))
                .doesNotContain(ANSWER)
                .isNotEmpty();
        assertThat(output(allowed(port), program.to("no.test", port)))
                .doesNotContain(ANSWER)
                .isNotEmpty();

        RemoteProcess asking = begun(allowed(1).asking(60_000), program.to("other.test", port));
        client.answer(nextQuestion("other.test"), Json.object("decision", Json.object("type", "allow")));
        asking.closed(LIMIT);
        assertThat(asking.text()).contains(ANSWER);
        RemoteProcess refused = begun(allowed(1).asking(60_000), program.to("other.test", port));
        client.answer(nextQuestion("other.test"), Json.object("decision", Json.object("type", "deny", "reason", "no")));
        refused.closed(LIMIT);
        assertThat(refused.text()).doesNotContain(ANSWER);
    }

    private JsonNode nextQuestion(String host) {
        JsonNode question = client.nextNetwork();
        while (!question.has("id")) {
            question = client.nextNetwork(); // decisions of before
        }
        assertThat(question.get("params").get("request").get("host").asText()).isEqualTo(host);
        return question;
    }

    private static String run(Path directory, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return free.getLocalPort();
        }
    }

    private static void awaitListening(int port, Process process) throws InterruptedException {
        while (process.isAlive()) {
            try (Socket _ = new Socket("127.0.0.1", port)) {
                return;
            } catch (IOException e) {
                assertThat(process.waitFor(50, TimeUnit.MILLISECONDS))
                        .as("sshd ended")
                        .isFalse();
            }
        }
    }

    @Test
    void gitClonesOverSsh() throws Exception {
        Path base = Files.createDirectory(folder.resolve("base"));
        run(base, "git", "init", "-q", "repository");
        Files.writeString(base.resolve("repository/file"), "content\n");
        run(base.resolve("repository"), "git", "add", "file");
        run(base.resolve("repository"), "git", "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "first");
        run(
                base,
                "ssh-keygen",
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                base.resolve("host").toString());
        run(workspace, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key");
        Files.copy(workspace.resolve("key.pub"), base.resolve("keys"));
        int port = freePort();
        String hostKey = Files.readString(base.resolve("host.pub")).strip();
        Files.writeString(
                workspace.resolve("known"), "[db.test]:%1$d %2$s\n[127.0.0.1]:%1$d %2$s\n".formatted(port, hostKey));
        Path config = Files.writeString(base.resolve("config"), """
                ListenAddress 127.0.0.1
                Port %d
                HostKey %2$s/host
                AuthorizedKeysFile %2$s/keys
                PidFile none
                StrictModes no
                UsePAM no
                PermitRootLogin yes
                """.formatted(port, base));
        String user = System.getProperty("user.name");
        if (user.equals("root")) {
            Files.createDirectories(
                    Path.of("/run/sshd"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        }
        Process sshd = new ProcessBuilder("/usr/sbin/sshd", "-D", "-e", "-f", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(base.resolve("log").toFile())
                .start();
        try {
            awaitListening(port, sshd);
            String clone = "GIT_SSH_COMMAND='ssh -F none -i key -o BatchMode=yes -o UserKnownHostsFile=known'"
                    + " git clone -q ssh://" + user + "@%s:" + port + base + "/repository %s 2>&1 && cat %s/file";
            assertThat(output(allowed(port), clone.formatted("db.test", "a", "a")))
                    .as(Files.readString(base.resolve("log")))
                    .isEqualTo("content\n");
            assertThat(output(allowed(1), clone.formatted("db.test", "b", "b"))).contains("Permission denied");
            assertThat(output(allowed(port), clone.formatted("no.test", "c", "c")))
                    .contains("Could not resolve hostname no.test");
        } finally {
            sshd.descendants().forEach(ProcessHandle::destroy);
            sshd.destroy();
            sshd.waitFor(30, TimeUnit.SECONDS);
        }
    }
}
