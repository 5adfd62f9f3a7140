package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.McpStdio;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.VarTmp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The MCP server on standard input and output: the protocol, and the tool {@code shell}. */
@Timeout(180)
class ShellMcpIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir(factory = VarTmp.class)
    private Path home;

    private final String mark = UUID.randomUUID().toString();

    private McpStdio start(String... options) {
        return McpStdio.start(Map.of("HOME", home.toString(), "CODEX_HOME", ""), options);
    }

    private McpStdio client(String... options) {
        return start(options).initialized();
    }

    private JsonNode run(McpStdio mcp, String command) {
        return mcp.shell(command, home.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "2024-11-05, 2024-11-05",
        "2025-03-26, 2025-03-26",
        "2025-06-18, 2025-06-18",
        "2025-11-25, 2025-11-25",
        "1999-01-01, 2025-11-25"
    })
    void theVersionOfTheClientIsSpokenIfItIsKnown(String asked, String spoken) {
        try (McpStdio mcp = start()) {
            JsonNode result = mcp.initialize(asked, Json.object()).get("result");

            assertThat(result.get("protocolVersion").textValue()).isEqualTo(spoken);
            assertThat(result.at("/capabilities/tools").isObject()).isTrue();
            assertThat(result.at("/capabilities/experimental/codex~1sandbox-state/version")
                            .textValue())
                    .isEqualTo("1.0.0");
        }
    }

    @Test
    void whatIsNoRequestIsAnsweredAndTheConversationGoesOn() {
        try (McpStdio mcp = start()) {
            assertThat(mcp.request("tools/list", Json.object())
                            .at("/error/code")
                            .intValue())
                    .isEqualTo(-32600);
            mcp.initialized();
            for (String garbage : List.of("no json", "{\"id\":", "[[[", "\"\\ud800")) {
                mcp.send(garbage);
                assertThat(mcp.nextOther().at("/error/code").intValue()).isEqualTo(-32700);
            }
            for (String invalid : List.of("5", "{}", "[]", "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}")) {
                mcp.send(invalid);
                JsonNode refused = mcp.nextOther();
                assertThat(refused.at("/error/code").intValue()).isEqualTo(-32600);
                assertThat(refused.get("id").isNull()).isTrue();
            }
            mcp.send("");
            assertThat(mcp.request("ping", Json.object()).get("result")).isEmpty();
            JsonNode unknown = mcp.request("no/such", Json.object());
            assertThat(unknown.at("/error/code").intValue()).isEqualTo(-32601);
            assertThat(unknown.at("/error/message").textValue()).contains("no/such");
            assertThat(mcp.request("resources/list", Json.object())
                            .at("/result/resources")
                            .isArray())
                    .isTrue();
            mcp.send(
                    "[{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"ping\"}]");
            assertThat(mcp.nextOther().get("id").textValue()).isEqualTo("a");
            assertThat(mcp.nextOther().get("id").textValue()).isEqualTo("b");
            assertThat(mcp.finish()).isZero();
        }
    }

    @Test
    void theToolShellHasTheSchemaThatClientsKnow() {
        try (McpStdio mcp = client()) {
            JsonNode tools = mcp.request("tools/list", Json.object()).at("/result/tools");
            JsonNode shell = tools.get(0);

            assertThat(shell.get("name").textValue()).isEqualTo("shell");
            assertThat(shell.get("description").textValue())
                    .startsWith("Runs a shell command and returns its output."
                            + " You MUST provide the workdir as an absolute path.");
            assertThat(shell.at("/inputSchema/title").textValue()).isEqualTo("ExecParams");
            assertThat(shell.at("/inputSchema/required").toString()).isEqualTo("[\"command\",\"workdir\"]");
            assertThat(shell.at("/inputSchema/properties/timeout_ms/format").textValue())
                    .isEqualTo("uint64");
            assertThat(shell.at("/annotations/destructiveHint").booleanValue()).isTrue();
            assertThat(shell.at("/annotations/readOnlyHint").booleanValue()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"command":"true"}                                  | missing field `workdir`
            {"workdir":"/"}                                     | missing field `command`
            {"command":"true","workdir":"/","timeout_ms":"5"}   | invalid type: string "5", expected u64
            {"command":"true","workdir":"/","timeout_ms":-1}    | invalid value: integer `-1`, expected u64
            """)
    void argumentsThatCannotBeReadAreNamed(String arguments, String why) {
        try (McpStdio mcp = client()) {
            JsonNode error = mcp.request("tools/call", Json.object("name", "shell", "arguments", Json.parse(arguments)))
                    .get("error");

            assertThat(error.get("code").intValue()).isEqualTo(-32602);
            assertThat(error.get("message").textValue()).isEqualTo("failed to deserialize parameters: " + why);
        }
    }

    @Test
    void aCommandRunsWhereItIsToldAndItsResultSaysAll() {
        try (McpStdio mcp = client()) {
            JsonNode answer = mcp.request(
                    "tools/call",
                    Json.object(
                            "name",
                            "shell",
                            "arguments",
                            McpStdio.shellArguments("pwd; echo wrong >&2; exit 3", home.toString())
                                    .put("unknown", 1)));
            JsonNode result = answer.at("/result/structuredContent");

            assertThat(answer.at("/result/isError").booleanValue()).isFalse();
            assertThat(result.get("exit_code").intValue()).isEqualTo(3);
            assertThat(result.get("stdout").textValue()).isEqualTo(home + "\n");
            assertThat(result.get("stderr").textValue()).isEqualTo("wrong\n");
            assertThat(result.get("output").textValue()).contains(home + "\n").contains("wrong\n");
            assertThat(result.get("timed_out").booleanValue()).isFalse();
            assertThat(result.at("/duration/nanos").isInt()).isTrue();
            assertThat(Json.parse(answer.at("/result/content/0/text").textValue()))
                    .isEqualTo(result);
        }
    }

    @Test
    void mcp05_outputIsInTheOrderOfArrival() {
        try (McpStdio mcp = client()) {
            String slowly = "for i in 1 2 3; do echo out$i; sleep 0.3; echo err$i >&2; sleep 0.3; done";

            assertThat(run(mcp, slowly).get("output").textValue()).isEqualTo("out1\nerr1\nout2\nerr2\nout3\nerr3\n");
        }
    }

    @Test
    void mcp04_theTimeLimitKeepsWhatWasSaid() {
        try (McpStdio mcp = client()) {
            JsonNode result = mcp.tool(
                    "shell",
                    Json.object(
                            "command",
                            "echo before; MARK=" + mark + " sleep 81",
                            "workdir",
                            home.toString(),
                            "timeout_ms",
                            1500));

            assertThat(result.get("timed_out").booleanValue()).isTrue();
            assertThat(result.get("exit_code").intValue()).isEqualTo(124);
            assertThat(result.get("output").textValue()).isEqualTo("before\n");
            await().atMost(LIMIT).until(() -> ProcFs.marked(mark).isEmpty());
            assertThat(mcp.tool("shell", Json.object("command", "true", "workdir", home.toString(), "timeout_ms", 0))
                            .get("timed_out")
                            .booleanValue())
                    .isTrue();
        }
    }

    @Test
    void mcp04_aSignalKeepsWhatWasSaid() {
        try (McpStdio mcp = client()) {
            JsonNode result = run(mcp, "echo before; kill -TERM $$");

            assertThat(result.get("exit_code").intValue()).isEqualTo(143);
            assertThat(result.get("output").textValue()).isEqualTo("before\n");
        }
    }

    @Test
    void mcp04_aChildThatHoldsTheOutputDoesNotTakeItAlong() {
        try (McpStdio mcp = client()) {
            JsonNode result = run(mcp, "sleep 83 & echo said");

            assertThat(result.get("exit_code").intValue()).isZero();
            assertThat(result.get("output").textValue()).isEqualTo("said\n");
        }
    }

    @Test
    void mcp08_aCancelledCallIsKilledAndNotAnswered() {
        try (McpStdio mcp = client()) {
            McpStdio.Sent call = mcp.startTool(
                    "shell", McpStdio.shellArguments("MARK=" + mark + " setsid sleep 84 & sleep 85", home.toString()));
            await().atMost(LIMIT).until(() -> !ProcFs.marked(mark).isEmpty());
            mcp.notify("notifications/cancelled", Json.object("requestId", call.id(), "reason", "enough"));

            await().atMost(LIMIT).until(() -> ProcFs.marked(mark).isEmpty());
            assertThat(mcp.request("ping", Json.object()).has("result")).isTrue();
            assertThat(call.answer()).isNotDone();
        }
    }

    @Test
    void newOutputIsToldWhileItRuns() {
        try (McpStdio mcp = client()) {
            Path go = home.resolve("go");
            McpStdio.Sent call = mcp.sent(
                    "tools/call",
                    Json.object(
                            "name",
                            "shell",
                            "arguments",
                            McpStdio.shellArguments(
                                    "echo ready; until [ -e go ]; do sleep 0.05; done; echo gone", home.toString()),
                            "_meta",
                            Json.object("progressToken", "token")));
            JsonNode first = mcp.nextNotification();

            assertThat(first.get("method").textValue()).isEqualTo("notifications/progress");
            assertThat(first.at("/params/progressToken").textValue()).isEqualTo("token");
            assertThat(first.at("/params/message").textValue()).isEqualTo("ready\n");
            assertThat(call.answer()).isNotDone();
            assertThat(go.toFile().mkdir()).isTrue();
            assertThat(McpStdio.content(mcp.await(call.answer())).get("output").textValue())
                    .isEqualTo("ready\ngone\n");
        }
    }

    @Test
    void fiftyCallsRunAtOnce() {
        try (McpStdio mcp = client()) {
            List<McpStdio.Sent> calls = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                // Each waits for all others.
                String command =
                        "touch " + i + "; until [ $(ls | grep -c '^[0-9]*$') = 50 ]; do sleep 0.2; done; echo " + i;
                calls.add(mcp.startTool("shell", McpStdio.shellArguments(command, home.toString())));
            }
            for (int i = 0; i < 50; i++) {
                assertThat(McpStdio.content(mcp.await(calls.get(i).answer()))
                                .get("output")
                                .textValue())
                        .isEqualTo(i + "\n");
            }
        }
    }

    @Test
    void twoHundredMegabytesOfOutputAreCutInTheMiddle() {
        try (McpStdio mcp = client()) {
            JsonNode result = run(mcp, "echo first; head -c 200000000 /dev/zero | tr '\\0' x; echo; echo last");
            String output = result.get("output").textValue();

            assertThat(result.get("exit_code").intValue()).isZero();
            assertThat(output).startsWith("first\nxxx").endsWith("xxx\nlast\n").hasSizeLessThan(1_100_000);
            assertThat(result.get("truncated").booleanValue()).isTrue();
            assertThat(result.get("omitted_bytes").longValue()).isEqualTo(200_000_012L - 1_048_576);
            assertThat(output).contains("[... " + result.get("omitted_bytes").longValue() + " bytes omitted ...]");
        }
    }

    @Test
    void theEndOfInputEndsEverything() {
        try (McpStdio mcp = client()) {
            mcp.request(
                    "codex/sandbox-state/update",
                    Json.object(
                            "sandboxPolicy", Json.object("type", "danger-full-access"),
                            "sandboxCwd", home.toString()));
            run(mcp, "MARK=" + mark + " setsid sleep 86 >/dev/null 2>&1 </dev/null &");
            mcp.startTool("shell", McpStdio.shellArguments("MARK=" + mark + " sleep 87", home.toString()));
            await().atMost(LIMIT).until(() -> ProcFs.marked(mark).size() >= 2);

            assertThat(mcp.finish()).isZero();
            await().atMost(LIMIT).until(() -> ProcFs.marked(mark).isEmpty());
        }
    }

    @Test
    void aKilledServerLeavesNothing() {
        try (McpStdio mcp = client()) {
            mcp.startTool(
                    "shell", McpStdio.shellArguments("MARK=" + mark + " setsid sleep 88 & sleep 89", home.toString()));
            await().atMost(LIMIT).until(() -> !ProcFs.marked(mark).isEmpty());
            mcp.server().killHard();

            await().atMost(LIMIT).until(() -> ProcFs.marked(mark).isEmpty());
        }
    }

    @Test
    void withoutAPolicyACommandReadsAllAndWritesItsWorkspaceOnly() throws Exception {
        Path outside = Files.createDirectory(home.resolve("outside"));
        Path work = Files.createDirectory(home.resolve("work"));
        Files.writeString(outside.resolve("secret"), "read\n");
        try (McpStdio mcp = client()) {
            JsonNode result = mcp.shell(
                    "cat ../outside/secret; touch here && echo made; touch ../outside/there || echo refused;"
                            + " touch /tmp/" + mark + " && rm /tmp/" + mark + " && echo temporary;"
                            + " (exec 3<>/dev/tcp/127.0.0.1/9) 2>/dev/null || echo no network;"
                            + " echo $CODEX_SANDBOX_NETWORK_DISABLED",
                    work.toString());

            assertThat(result.get("stdout").textValue()).isEqualTo("read\nmade\nrefused\ntemporary\nno network\n1\n");
        }
        assertThat(work.resolve("here")).exists();
        assertThat(outside.resolve("there")).doesNotExist();
    }
}
