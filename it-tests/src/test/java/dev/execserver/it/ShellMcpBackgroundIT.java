package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.McpStdio;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.VarTmp;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands in the background: output, input, waiting, ending. */
@Timeout(180)
class ShellMcpBackgroundIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int WAIT_MS = 60_000;

    @TempDir(factory = VarTmp.class)
    private Path home;

    private final String mark = UUID.randomUUID().toString();
    private McpStdio mcp;

    @BeforeEach
    void connect() {
        mcp = McpStdio.start(Map.of("HOME", home.toString(), "CODEX_HOME", "")).initialized();
    }

    @AfterEach
    void close() {
        mcp.close();
    }

    private String begin(String command, boolean tty) {
        JsonNode started = mcp.tool(
                "shell",
                Json.object(
                        "command",
                        command,
                        "workdir",
                        home.toString(),
                        "background",
                        true,
                        "login",
                        false,
                        "tty",
                        tty));
        assertThat(started.get("running").booleanValue()).isTrue();
        return started.get("id").textValue();
    }

    private static ObjectNode of(String id) {
        return Json.object("id", id);
    }

    private JsonNode output(ObjectNode arguments) {
        return mcp.tool("shell_output", arguments);
    }

    @Test
    void outputIsReadFromACursorAndTheEndIsTold() throws IOException {
        String id = begin("echo one; until [ -e go ]; do sleep 0.05; done; echo two; exit 5", false);
        JsonNode first = output(of(id).put("wait_for_text", "one").put("wait_ms", WAIT_MS));
        assertThat(first.get("output").textValue()).isEqualTo("one\n");
        assertThat(first.get("condition_met").booleanValue()).isTrue();
        assertThat(first.get("running").booleanValue()).isTrue();

        Files.createFile(home.resolve("go"));
        JsonNode second = output(of(id).put("cursor", first.get("next_cursor").longValue())
                .put("wait_for_exit", true)
                .put("wait_ms", WAIT_MS));
        assertThat(second.get("output").textValue()).isEqualTo("two\n");
        assertThat(second.get("running").booleanValue()).isFalse();
        assertThat(second.get("exit_code").intValue()).isEqualTo(5);
        assertThat(output(of(id)).get("output").textValue()).isEqualTo("one\ntwo\n");
    }

    @Test
    void aTextThatDoesNotComeIsNotWaitedForLongerThanTheCommandRuns() {
        String id = begin("echo one", false);
        JsonNode result = output(of(id).put("wait_for_text", "two").put("wait_ms", WAIT_MS));

        assertThat(result.get("condition_met").booleanValue()).isFalse();
        assertThat(result.get("running").booleanValue()).isFalse();
    }

    @Test
    void aCommandGetsTextAndItsEnd() {
        String id = begin("read line; echo got $line; cat", false);
        mcp.tool("shell_input", of(id).put("text", "hello\nrest").put("eof", true));
        JsonNode result = output(of(id).put("wait_for_exit", true).put("wait_ms", WAIT_MS));

        assertThat(result.get("output").textValue()).isEqualTo("got hello\nrest");
        assertThat(result.get("exit_code").intValue()).isZero();
        JsonNode late =
                mcp.request("tools/call", Json.object("name", "shell_input", "arguments", of(id).put("text", "more")));
        assertThat(late.at("/error/message").textValue()).contains("has ended");
    }

    @Test
    void ctrlCEndsAJobWithAndWithoutATerminal() {
        for (boolean tty : new boolean[] {true, false}) {
            String id = begin("trap 'echo interrupted; exit 7' INT; echo ready; while :; do sleep 0.1; done", tty);
            output(of(id).put("wait_for_text", "ready").put("wait_ms", WAIT_MS));
            ObjectNode keys = of(id);
            keys.putArray("keys").add("ctrl-c");
            mcp.tool("shell_input", keys);
            JsonNode result = output(of(id).put("wait_for_exit", true).put("wait_ms", WAIT_MS));

            assertThat(result.get("output").textValue()).contains("interrupted");
            assertThat(result.get("exit_code").intValue()).isEqualTo(7);
        }
    }

    @Test
    void aTerminalIsOneAndTakesKeys() {
        String id = begin("test -t 0 && echo terminal; cat", true);
        output(of(id).put("wait_for_text", "terminal").put("wait_ms", WAIT_MS));
        ObjectNode typed = of(id).put("text", "abX");
        typed.putArray("keys").add("backspace").add("enter").add("ctrl-d");
        mcp.tool("shell_input", typed);
        JsonNode result = output(of(id).put("wait_for_exit", true).put("wait_ms", WAIT_MS));

        assertThat(result.get("output").textValue()).contains("\r\nab\r\n");
        ObjectNode unknown = of(id);
        unknown.putArray("keys").add("hyper-q");
        assertThat(mcp.request("tools/call", Json.object("name", "shell_input", "arguments", unknown))
                        .at("/error/code")
                        .intValue())
                .isEqualTo(-32602);
    }

    @Test
    void aPortIsWaitedForUntilTheCommandItselfListens() throws Exception {
        mcp.request(
                "codex/sandbox-state/update",
                Json.object(
                        "sandboxPolicy",
                        Json.object("type", "workspace-write", "network_access", true),
                        "sandboxCwd",
                        home.toString()));
        try (ServerSocket foreign = new ServerSocket(0)) {
            String id = begin(
                    "exec python3 -c 'import socket,time;s=socket.create_server((\"127.0.0.1\",0));"
                            + "print(s.getsockname()[1],flush=True);time.sleep(80)'",
                    false);
            JsonNode first = output(of(id).put("wait_for_text", "\n").put("wait_ms", WAIT_MS));
            int port = Integer.parseInt(first.get("output").textValue().strip());

            assertThat(output(of(id).put("wait_for_port", port).put("wait_ms", WAIT_MS))
                            .get("condition_met")
                            .booleanValue())
                    .isTrue();
            assertThat(output(of(id).put("wait_for_port", foreign.getLocalPort())
                                    .put("wait_ms", 500))
                            .get("condition_met")
                            .booleanValue())
                    .isFalse();
        }
    }

    @Test
    void aKilledCommandTakesItsChildrenAlongAndIsListed() {
        String id = begin("MARK=" + mark + " setsid sleep 90 & MARK=" + mark + " sleep 91; echo never", false);
        await().atMost(LIMIT).until(() -> ProcFs.marked(mark).size() >= 2);
        JsonNode killed = mcp.tool("shell_kill", of(id));

        assertThat(killed.get("running").booleanValue()).isFalse();
        assertThat(killed.get("exit_code").intValue()).isGreaterThan(128);
        await().atMost(LIMIT).until(() -> ProcFs.marked(mark).isEmpty());
        JsonNode row = mcp.tool("shell_list", Json.object()).at("/commands/0");
        assertThat(row.get("id").textValue()).isEqualTo(id);
        assertThat(row.get("running").booleanValue()).isFalse();
        assertThat(row.get("workdir").textValue()).isEqualTo(home.toString());
        assertThat(mcp.request("tools/call", Json.object("name", "shell_kill", "arguments", of("none")))
                        .at("/error/message")
                        .textValue())
                .contains("`none`");
    }

    @Test
    void onlyTheEndOfALongOutputIsKeptAndTheCommandIsNotHeld() {
        String id = begin("head -c 20000000 /dev/zero | tr '\\0' x; echo; echo last", false);
        JsonNode end =
                output(of(id).put("wait_for_exit", true).put("wait_ms", WAIT_MS).put("max_bytes", 1));
        assertThat(end.get("running").booleanValue()).isFalse();
        assertThat(end.get("omitted_bytes").longValue()).isEqualTo(20_000_006L - 1_048_576);
        JsonNode rest = output(of(id).put("cursor", 20_000_000L));

        assertThat(rest.get("output").textValue()).isEqualTo("\nlast\n");
    }

    @Test
    void theToolsSayTruthfullyWhatTheyDo() {
        JsonNode tools = mcp.request("tools/list", Json.object()).at("/result/tools");

        tools.forEach(tool -> {
            boolean reads = tool.get("name").textValue().matches("shell_(output|list)");
            assertThat(tool.at("/annotations/readOnlyHint").booleanValue()).isEqualTo(reads);
            assertThat(tool.at("/annotations/destructiveHint").booleanValue()).isEqualTo(!reads);
        });
        assertThat(tools).hasSize(5);
    }
}
