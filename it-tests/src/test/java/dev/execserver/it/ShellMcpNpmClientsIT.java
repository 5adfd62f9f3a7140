package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.NpmPrograms;
import dev.execserver.it.support.Program;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.VarTmp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The protocol's own programs from npm against our MCP server: the TypeScript SDK, the Inspector, the conformance tests. */
@Timeout(300)
class ShellMcpNpmClientsIT {
    private static NpmPrograms programs;

    @TempDir(factory = VarTmp.class)
    private Path home;

    private final String mark = UUID.randomUUID().toString();

    @BeforeAll
    static void install() throws Exception {
        programs = NpmPrograms.of("mcp");
    }

    private Path rules() throws Exception {
        return Files.writeString(home.resolve("my.rules"), "prefix_rule([\"touch\"], decision=\"prompt\")\n");
    }

    private Map<String, String> environment() {
        return Map.of("HOME", home.toString(), "CODEX_HOME", "", "MARK", mark);
    }

    private ServerProcess listening(String... options) {
        List<String> all = new ArrayList<>(List.of("--mcp", "on"));
        all.addAll(List.of(options));
        return ServerProcess.listening(List.of(), environment(), all.toArray(String[]::new));
    }

    private static String url(ServerProcess server) {
        return "http://127.0.0.1:" + server.port() + "/mcp";
    }

    private List<String> program() throws Exception {
        return ServerCommand.of(List.of("mcp", "--rules", rules().toString()));
    }

    @Test
    void theTypeScriptSdkUsesEachToolOverStdio() throws Exception {
        converse(program());
    }

    @Test
    void theTypeScriptSdkUsesEachToolOverHttp() throws Exception {
        try (ServerProcess server = listening("--mcp-rules", rules().toString())) {
            converse(List.of(url(server)));
        }
    }

    private void converse(List<String> target) throws Exception {
        Path work = Files.createDirectory(home.resolve("work"));
        List<String> arguments = new ArrayList<>(List.of(work.toString()));
        arguments.addAll(target);
        Program client = programs.run(home, environment(), "client.mjs", arguments);

        assertThat(client.status()).as(client.toString()).isZero();
        Map<String, JsonNode> said = client.out()
                .lines()
                .map(Json::parse)
                .collect(Collectors.toMap(line -> line.get("step").textValue(), line -> line.get("value")));
        assertThat(said.get("server").textValue()).isEqualTo("exec-server");
        assertThat(said.get("tools"))
                .extracting(JsonNode::textValue)
                .containsExactly("shell", "shell_output", "shell_input", "shell_list", "shell_kill");
        assertThat(said.get("asked").textValue())
                .isEqualTo("Allow agent to run `/usr/bin/touch made` in `" + work + "`?");
        assertThat(work.resolve("made")).exists();
        assertThat(said.get("shell").get("exit_code").intValue()).isEqualTo(3);
        assertThat(said.get("shell").get("stdout").textValue()).isEqualTo(work + "\n");
        assertThat(said.get("shell").get("stderr").textValue()).isEqualTo("e\n");
        assertThat(said.get("progress").get("whole").textValue()).isEqualTo("line 1\nline 2\nline 3\n");
        assertThat("line 1\nline 2\nline 3\n")
                .startsWith(said.get("progress").get("heard").textValue());
        assertThat(said.get("progress").get("heard").textValue()).startsWith("line 1\n");
        assertThat(said.get("cancelled").textValue()).isEqualTo("gone");
        assertThat(said.get("background").textValue()).isEqualTo("got hello\n");
        assertThat(said.get("listed").intValue()).isEqualTo(1);
        assertThat(said.get("refused").intValue()).isEqualTo(-32602);
        assertThat(said.get("closed").booleanValue()).isTrue();
    }

    @Test
    void theInspectorListsAndCallsOverStdio() throws Exception {
        inspect(program());
    }

    @Test
    void theInspectorListsAndCallsOverHttp() throws Exception {
        try (ServerProcess server = listening()) {
            inspect(List.of(url(server), "--transport", "http"));
        }
    }

    private void inspect(List<String> target) throws Exception {
        JsonNode listed = inspected(target, List.of("--method", "tools/list"));
        assertThat(listed.get("tools"))
                .extracting(tool -> tool.get("name").textValue())
                .contains("shell", "shell_kill");

        JsonNode called = inspected(
                target,
                List.of(
                        "--method",
                        "tools/call",
                        "--tool-name",
                        "shell",
                        "--tool-arg",
                        "command=echo $PWD; exit 4",
                        "workdir=" + home,
                        "login=false",
                        "timeout_ms=60000"));
        assertThat(called.get("structuredContent").get("exit_code").intValue()).isEqualTo(4);
        assertThat(called.get("structuredContent").get("output").textValue()).isEqualTo(home + "\n");
    }

    private JsonNode inspected(List<String> target, List<String> question) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--cli"));
        arguments.addAll(target);
        arguments.addAll(question);
        Program inspector = programs.run(home, environment(), "node_modules/.bin/mcp-inspector", arguments);
        assertThat(inspector.status()).as(inspector.toString()).isZero();
        return Json.parse(inspector.out());
    }

    @Test
    void theConformanceTestsOfTheProtocolPass() throws Exception {
        try (ServerProcess server = listening("--origin-guard", "off")) {
            Program tests = programs.run(
                    home,
                    environment(),
                    "node_modules/@modelcontextprotocol/conformance/dist/index.js",
                    List.of(
                            "server",
                            "--url",
                            url(server),
                            "--expected-failures",
                            programs.file("conformance-baseline.yml").toString()));

            assertThat(tests.status()).as(tests.out() + tests.err()).isZero();
            assertThat(tests.out())
                    .contains("✓ server-initialize", "✓ ping", "✓ tools-list", "✓ server-sse-multiple-streams")
                    .contains("✓ resources-list", "✓ prompts-list", "✓ dns-rebinding-protection");
        }
    }
}
