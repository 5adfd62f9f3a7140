package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Rules about connections that name the program: by its own file, by links, scripts, copies, and files without a name. */
@Timeout(180)
class NetworkProgramsIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** Prints a line: the answer, or the error of connect(2). */
    private static final String PYTHON = """
            import errno, socket
            s = socket.socket()
            print(errno.errorcode.get(s.connect_ex(("db.test", %1$d)), "open"), flush=True)
            """;

    private static final String BASH = "(exec 3<>/dev/tcp/db.test/%1$d) 2>/dev/null && echo open || echo shut\n";

    private static ServerProcess server;
    private static RawHttpServer http;
    private static String python;

    @TempDir
    private static Path folder;

    @TempDir
    private Path workspace;

    private WireClient client;

    @BeforeAll
    static void start() throws IOException {
        Path file = Files.writeString(folder.resolve("hosts"), "127.0.0.1 db.test\n");
        server = ServerProcess.listening(
                List.of(), Map.of("JAVA_TOOL_OPTIONS", "-Djdk.net.hosts.file=" + file), "--log-level", "info");
        http = RawHttpServer.answering((request, out) -> {
            out.write(RawHttpServer.ok("hello"));
            throw new IOException("closed");
        });
        python = Path.of("/usr/bin/python3").toRealPath().toString();
    }

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    @BeforeEach
    void connect() throws IOException {
        client = WireClient.connect(server.port());
        client.handshake();
        Files.writeString(workspace.resolve("p.py"), PYTHON.formatted(http.port()));
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private static String target() {
        return "db.test:" + http.port();
    }

    /** A proxy whose private address is open, and whose name is ruled about for one program. */
    private static ProxyConfig ruled(String program, String decision) {
        return ProxyConfig.allowing("127.0.0.1:" + http.port())
                .with("transparentTcp", true)
                .with("programDomains", Map.of(program, Map.of(target(), decision)));
    }

    private static ProxyConfig allowedButFor(String program) {
        return ProxyConfig.allowing("127.0.0.1:" + http.port(), target())
                .with("transparentTcp", true)
                .with("programDomains", Map.of(program, Map.of(target(), "deny")));
    }

    private Start confined(ProxyConfig config, String script) {
        return ManagedNetwork.confined(Start.bash(script.formatted(http.port())), workspace)
                .env("LANG", "C")
                .with("networkProxy", config.json());
    }

    private String output(ProxyConfig config, String script) {
        RemoteProcess process = client.start(confined(config, script));
        process.closed(LIMIT);
        return process.text();
    }

    @Test
    void aHostIsOpenToTheProgramThatTheRuleNamesAndToNoOther() {
        assertThat(output(ruled(python, "allow"), "/usr/bin/python3 p.py\n" + BASH))
                .isEqualTo("open\nshut\n");
        server.awaitStderr("rule=\"allow " + target() + " for " + python + "\"");
        server.awaitStderr("program=\"" + python + "\"");
    }

    @Test
    void aHostIsShutToTheProgramThatTheRuleNamesAndOpenToOthers() {
        assertThat(output(allowedButFor(python), "/usr/bin/python3 p.py\n" + BASH))
                .isEqualTo("EACCES\nopen\n");
    }

    @Test
    void aLinkInARuleStandsForTheFileBehindIt() {
        assertThat(output(ruled("/usr/bin/python3", "allow"), python + " p.py\n"))
                .isEqualTo("open\n");
        assertThat(output(allowedButFor("/usr/bin/python3"), python + " p.py\n"))
                .isEqualTo("EACCES\n");
    }

    @Test
    void aLinkThatTheCommandMovesLaterChangesNothing() throws IOException {
        Path link = Files.createSymbolicLink(workspace.resolve("link"), Path.of(python));
        String move = "ln -sf /bin/bash link; ./link -c '" + BASH.strip() + "'; /usr/bin/python3 p.py\n";
        assertThat(output(ruled(link.toString(), "allow"), move)).isEqualTo("shut\nopen\n");
    }

    @Test
    void theProgramOfAScriptIsItsInterpreter() throws IOException {
        Path script = Files.writeString(workspace.resolve("s"), "#!" + python + "\n" + PYTHON.formatted(http.port()));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        assertThat(output(ruled(python, "allow"), "./s\n")).isEqualTo("open\n");
        assertThat(refused(ruled(script.toString(), "allow")))
                .isEqualTo("invalid network proxy config: program `" + script
                        + "` can never match: it is a script; name its interpreter");
    }

    private String refused(ProxyConfig config) {
        return client.sendStart(confined(config, "true")).started().errorMessage();
    }

    @Test
    void whatCanNeverMatchIsRefused() {
        assertThat(refused(ruled("python3", "allow"))).contains("program `python3` can never match");
        assertThat(refused(ruled("/usr/bin", "deny"))).contains("program `/usr/bin` can never match: it is no file");
        assertThat(refused(ruled(python, "perhaps"))).contains("unknown variant `perhaps`");
        assertThat(refused(ProxyConfig.nothing()
                        .with("transparentTcp", true)
                        .with("programDomains", Map.of(python, Map.of("10.*", "allow")))))
                .contains("10.* stands for a private network");
    }

    @Test
    void aFileWithoutANameIsNoProgramThatARuleAllows() throws IOException {
        Files.writeString(workspace.resolve("m.py"), """
                import os, sys
                fd = os.memfd_create("python3")
                os.write(fd, open("%s", "rb").read())
                os.execve(fd, ["python3", "p.py"], dict(os.environ))
                """.formatted(python));
        assertThat(output(ruled(python, "allow"), "/usr/bin/python3 m.py\n")).isEqualTo("EACCES\n");
        assertThat(output(
                        ruled(python, "allow"),
                        "cp " + python + " copy; rm -f gone; cp copy gone\n" + "./copy p.py; bash -c 'exec -a " + python
                                + " ./copy p.py'\n"))
                .isEqualTo("EACCES\nEACCES\n");
    }

    @Test
    void anotherNameOfTheSameFileIsForbiddenAndNotAllowed() throws IOException {
        Path tool = Files.copy(Path.of(python), workspace.resolve("tool"));
        String hardLink = "ln -f tool other; ./other p.py; ./tool p.py\n";
        assertThat(output(allowedButFor(tool.toString()), hardLink)).isEqualTo("EACCES\nEACCES\n");
        Files.delete(workspace.resolve("other"));
        assertThat(output(ruled(tool.toString(), "allow"), hardLink)).isEqualTo("EACCES\nopen\n");
    }

    @Test
    void aProgramThatWasExchangedAfterTheStartIsNotAllowed() throws IOException {
        Path tool = Files.copy(Path.of(python), workspace.resolve("tool"));
        assertThat(output(ruled(tool.toString(), "allow"), "rm tool; cp " + python + " tool; ./tool p.py\n"))
                .isEqualTo("EACCES\n");
    }

    @Test
    void aConnectionThroughAProxyTellsNoProgramSoItIsForbiddenAndNotAllowed() {
        String curl = "curl -s -o /dev/null -w '%%{http_code}\\n' http://" + target() + "/\n";
        assertThat(output(ruled("/usr/bin/curl", "allow"), curl)).isEqualTo("403\n");
        assertThat(output(allowedButFor("/usr/bin/wget"), curl)).isEqualTo("403\n");
        assertThat(output(ruled("/usr/bin/curl", "allow"), curl.replace("curl", "curl --noproxy '*'")))
                .isEqualTo("200\n");
    }

    @Test
    void theReportOfTheExitNamesTheProgramAndTheSmallestRuleForIt() throws IOException {
        RemoteProcess process =
                client.start(confined(ruled(python, "allow"), "exec 3<>/dev/tcp/db.test/%1$d || exit 3"));
        JsonNode denial = process.exited().params().get("denial");
        String bash = Path.of("/bin/bash").toRealPath().toString();
        assertThat(denial.get("program").asText()).isEqualTo(bash);
        assertThat(denial.get("rule").asText()).isEqualTo("`" + target() + "` is allowed to " + python + " only");
        assertThat(denial.get("change"))
                .isEqualTo(Json.parse("{\"programDomains\":{\"%s\":{\"%s\":\"allow\"}}}".formatted(bash, target())));
    }

    @Test
    void aNetworkRuleMayNameTheProgramToo() {
        String rules = "network_rule(\"db.test\", \"socks5_tcp\", \"%s\", program=\"/usr/bin/python3\")\n";
        ProxyConfig closed = ProxyConfig.allowing("127.0.0.1:" + http.port()).with("transparentTcp", true);
        ProxyConfig open =
                ProxyConfig.allowing("127.0.0.1:" + http.port(), target()).with("transparentTcp", true);
        assertThat(withRules(closed, rules.formatted("allow"))).isEqualTo("open\nshut\n");
        assertThat(withRules(open, rules.formatted("deny"))).isEqualTo("EACCES\nopen\n");
        assertThat(withRules(open, rules.formatted("allow") + rules.formatted("deny")))
                .isEqualTo("EACCES\nopen\n");
    }

    private String withRules(ProxyConfig config, String rules) {
        RemoteProcess process = client.start(confined(config, "/usr/bin/python3 p.py\n" + BASH)
                .with("execPolicy", Json.object("rules", List.of(Json.object("name", "r", "text", rules)))));
        process.closed(LIMIT);
        return process.text();
    }
}
