package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** Real programs that know no proxy, against local servers: allowed, denied, asked. */
@Timeout(240)
class TransparentTcpProgramsIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    /** Looks a name up with the name server of its first argument and connects to its port, without any library. */
    private static final String STATIC_CLIENT = """
            typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32;
            static long call(long n, long a, long b, long c, long d, long e, long f) {
                register long r10 asm("r10") = d, r8 asm("r8") = e, r9 asm("r9") = f; long r;
                asm volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
                return r;
            }
            struct in { u16 family, port; u32 address; u8 pad[8]; };
            static u32 number(char **p) { u32 v = 0; while (**p >= '0' && **p <= '9') v = v * 10 + *(*p)++ - '0'; return v; }
            static u16 swap(u16 v) { return v << 8 | v >> 8; }
            static void end(const char *word, int length, int code) { call(1, 1, (long) word, length, 0, 0, 0); call(60, code, 0, 0, 0, 0, 0); }
            void body(long *stack) {
                char **argv = (char **) (stack + 1), *p = argv[1];
                struct in server = {2, swap(53), 0, {0}};
                u8 *address = (u8 *) &server.address;
                for (int i = 0; i < 4; i++) { address[i] = number(&p); p++; }
                static u8 query[300] = {1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0}, reply[600];
                int at = 12; p = argv[2];
                while (*p) { int label = at++; while (*p && *p != '.') query[at++] = *p++; query[label] = at - label - 1; if (*p) p++; }
                at++; query[++at - 1] = 0; query[at - 1] = 0; query[at] = 1; query[at + 1] = 0; query[at + 2] = 1; at += 3;
                long udp = call(41, 2, 2, 0, 0, 0, 0);
                if (call(44, udp, (long) query, at, 0, (long) &server, 16) < 0) end("no query\\n", 9, 1);
                long got = call(45, udp, (long) reply, 600, 0, 0, 0);
                if (got < 28 || reply[3] & 15) end("no name\\n", 8, 2);
                p = argv[3];
                struct in target = {2, swap(number(&p)), *(u32 *) (reply + got - 4), {0}};
                long tcp = call(41, 2, 1, 0, 0, 0, 0);
                if (call(42, tcp, (long) &target, 16, 0, 0, 0) < 0) end("refused\\n", 8, 3);
                call(1, tcp, (long) "PING\\r\\n", 6, 0, 0, 0);
                got = call(0, tcp, (long) reply, 100, 0, 0, 0);
                end((char *) reply, got, 0);
            }
            asm(".globl _start\\n_start: mov %rsp, %rdi\\nand $-16, %rsp\\ncall body\\n");
            """;

    private static ServerProcess server;
    private static ServerSocket words;

    @TempDir
    private static Path folder;

    @TempDir
    private Path workspace;

    private WireClient client;

    @BeforeAll
    static void start() throws IOException {
        Path file = Files.writeString(folder.resolve("hosts"), "127.0.0.1 db.test other.test\n");
        server = ServerProcess.listening(
                List.of(), Map.of("JAVA_TOOL_OPTIONS", "-Djdk.net.hosts.file=" + file), "--log-level", "info");
        words = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
        Thread.ofVirtual().start(TransparentTcpProgramsIT::answer);
    }

    /** Answers a line as redis does, and anything else as a database that refuses does. */
    private static void answer() {
        try {
            while (true) {
                try (Socket peer = words.accept()) {
                    InputStream in = peer.getInputStream();
                    boolean line = in.read() == 'P';
                    byte[] error = "E\0\0\0\0SFATAL\0C28000\0Mno such role\0\0".getBytes(StandardCharsets.US_ASCII);
                    error[4] = (byte) (error.length - 1);
                    peer.getOutputStream().write(line ? "+PONG\r\n".getBytes(StandardCharsets.US_ASCII) : error);
                    peer.shutdownOutput();
                    in.readAllBytes();
                } catch (IOException e) {
                    if (words.isClosed()) {
                        return;
                    }
                }
            }
        } catch (RuntimeException e) {
            throw new AssertionError(e);
        }
    }

    @AfterAll
    static void stop() throws IOException {
        words.close();
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

    private static ProxyConfig allowed(int port) {
        return ProxyConfig.allowing("db.test:" + port, "127.0.0.1:" + port).with("transparentTcp", true);
    }

    private RemoteProcess begun(ProxyConfig config, String script) {
        return client.start(ManagedNetwork.confined(Start.bash(script), workspace)
                .env("LANG", "C")
                .env("HOME", workspace.toString())
                .with("networkProxy", config.json()));
    }

    private String output(ProxyConfig config, String script) {
        RemoteProcess process = begun(config, script);
        process.closed(LIMIT);
        return process.text();
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

    @Test
    void gitClonesOverItsOwnProtocol() throws Exception {
        Path base = Files.createDirectory(folder.resolve("base"));
        run(base, "git", "init", "-q", "repository");
        Files.writeString(base.resolve("repository/file"), "content\n");
        run(base.resolve("repository"), "git", "add", "file");
        run(base.resolve("repository"), "git", "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "first");
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Process daemon = new ProcessBuilder(
                        "git",
                        "daemon",
                        "--verbose",
                        "--export-all",
                        "--base-path=" + base,
                        "--listen=127.0.0.1",
                        "--port=" + port)
                .redirectErrorStream(true)
                .start();
        try {
            daemon.getInputStream().read(); // "Ready to rumble"
            Thread.ofVirtual().start(() -> drain(daemon.getInputStream()));
            String clone = "git clone -q git://%s:" + port + "/repository %s 2>&1 && cat %s/file";
            assertThat(output(allowed(port), clone.formatted("db.test", "a", "a")))
                    .isEqualTo("content\n");
            assertThat(output(allowed(port + 1), clone.formatted("127.0.0.1", "b", "b")))
                    .contains("Connection refused");
            assertThat(output(allowed(port), clone.formatted("no.test", "c", "c")))
                    .contains("unable to look up no.test");
        } finally {
            daemon.descendants().forEach(ProcessHandle::destroy);
            daemon.destroy();
            daemon.waitFor(30, TimeUnit.SECONDS);
        }
    }

    private static void drain(InputStream in) {
        try {
            in.readAllBytes();
        } catch (IOException e) {
            // the daemon has ended
        }
    }

    @Test
    void aDatabaseClientIsAllowedDeniedAndAsked() {
        int port = words.getLocalPort();
        String psql = "PGSSLMODE=disable psql -h %s -p " + port + " -U x x 2>&1";
        assertThat(output(allowed(port), psql.formatted("db.test"))).contains("no such role");
        assertThat(output(allowed(1), psql.formatted("db.test"))).contains("Permission denied");
        RemoteProcess asking = begun(
                ProxyConfig.allowing("127.0.0.1:" + port)
                        .with("transparentTcp", true)
                        .asking(30_000),
                psql.formatted("other.test"));
        JsonNode question = client.nextNetwork();
        while (!question.has("id")) {
            question = client.nextNetwork(); // decisions of before
        }
        client.answer(question, Json.object("decision", Json.object("type", "allow")));
        asking.closed(LIMIT);
        assertThat(asking.text()).contains("no such role");
    }

    @Test
    void aPlainLineIsAnsweredAndItsAuditNamesTheProgram() {
        int port = words.getLocalPort();
        assertThat(output(
                        allowed(port),
                        "exec 3<>/dev/tcp/db.test/%d; printf 'PING\\r\\n' >&3; head -1 <&3".formatted(port)))
                .isEqualTo("+PONG\r\n");
        server.awaitStderr("program=\"/usr/bin/bash\"");
    }

    @Test
    void aStaticProgramNeedsNoLibrary() throws Exception {
        Path source = Files.writeString(workspace.resolve("client.c"), STATIC_CLIENT);
        run(
                workspace,
                "gcc",
                "-static",
                "-nostdlib",
                "-fno-stack-protector",
                "-fno-pie",
                "-no-pie",
                "-O1",
                "-o",
                "client",
                source.toString());
        int port = words.getLocalPort();
        String script =
                "./client $(awk '/^nameserver [0-9.]*$/ { print $2; exit }' /etc/resolv.conf) %s %d; echo status $?";
        assertThat(output(allowed(port), script.formatted("db.test", port))).isEqualTo("+PONG\r\nstatus 0\n");
        assertThat(output(allowed(port), script.formatted("no.test", port))).isEqualTo("no name\nstatus 2\n");
        assertThat(output(allowed(1), script.formatted("db.test", port))).isEqualTo("refused\nstatus 3\n");
    }

    @Test
    void theCommandLineServesThemToo() throws Exception {
        int port = words.getLocalPort();
        String script = "exec 3<>/dev/tcp/127.0.0.1/%d; printf 'PING\\r\\n' >&3; head -1 <&3".formatted(port);
        String rules = "{\"domains\":{\"127.0.0.1:%d\":\"allow\"}}".formatted(port);
        assertThat(sandbox("--network", rules, "--transparent-tcp", "--", "bash", "-c", script))
                .isEqualTo("+PONG\r\n");
        assertThat(sandbox("--network", "observe", "--transparent-tcp", "--", "bash", "-c", script))
                .contains("Connection refused")
                .endsWith("exec-server: no host was reached that needs a rule\n");
        assertThat(sandbox("--transparent-tcp", "--", "true"))
                .contains("--transparent-tcp requires a managed network proxy");
        assertThat(sandbox("--network", "{\"domains\":{\"10.*\":\"allow\"}}", "--", "true"))
                .contains("can never match");
    }

    private String sandbox(String... arguments) throws IOException, InterruptedException {
        List<String> command = new java.util.ArrayList<>(
                List.of("sandbox", "--state-dir", workspace.resolve("state").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(ServerCommand.of(command))
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return text;
    }
}
