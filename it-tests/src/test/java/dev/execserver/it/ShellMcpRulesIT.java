package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.McpStdio;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.VarTmp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sandbox, rules and questions of the MCP server. */
@Timeout(180)
class ShellMcpRulesIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir(factory = VarTmp.class)
    private Path home;

    private Path work;
    private Path rules;

    @BeforeEach
    void makeFolders() throws IOException {
        work = Files.createDirectory(home.resolve("work"));
        rules = Files.createDirectories(home.resolve("codex/rules")).resolve("default.rules");
    }

    private McpStdio start(String... options) {
        return McpStdio.start(
                Map.of(
                        "HOME",
                        home.toString(),
                        "CODEX_HOME",
                        home.resolve("codex").toString()),
                options);
    }

    private McpStdio asked(String action, JsonNode content) {
        McpStdio mcp = start();
        mcp.initialize("2025-06-18", Json.object("elicitation", Json.object()));
        mcp.answering(_ -> Json.object("action", action, "content", content));
        return mcp;
    }

    private void write(String text) throws IOException {
        Files.writeString(rules, text + "\n");
    }

    private JsonNode run(McpStdio mcp, String command) {
        return mcp.shell(command, work.toString());
    }

    @Test
    void anAllowedProgramLeavesTheSandboxAndNothingElseDoes() throws Exception {
        write("prefix_rule([\"touch\"], decision=\"allow\")");
        try (McpStdio mcp = start().initialized()) {
            JsonNode result = run(mcp, "mkdir ../no 2>/dev/null || echo kept; /usr/bin/touch ../yes && echo out");

            assertThat(result.get("output").textValue()).isEqualTo("kept\nout\n");
        }
        assertThat(home.resolve("yes")).exists();
        assertThat(home.resolve("no")).doesNotExist();
    }

    @Test
    void mcp03_aProgramThatTheCommandHasMadeIsNotTheAllowedOne() throws Exception {
        write("prefix_rule([\"touch\"], decision=\"allow\")");
        try (McpStdio mcp = start().initialized()) {
            run(mcp, "cp /usr/bin/touch . && ./touch ../forged");
        }
        assertThat(home.resolve("forged")).doesNotExist();
    }

    @Test
    void mcp01_mcp11_aForbiddenProgramIsSeenBehindAnyProgramAndTheReasonIsSaid() throws Exception {
        write("prefix_rule([\"whoami\"], decision=\"forbidden\", justification=\"ask the team\")");
        try (McpStdio mcp = start().initialized()) {
            JsonNode result = run(
                    mcp,
                    "unset BASH_EXEC_WRAPPER; env whoami; echo $?;"
                            + " python3 -c 'import subprocess; print(subprocess.call([\"whoami\"]))'");

            assertThat(result.get("stdout").textValue()).isEqualTo("126\n126\n");
            assertThat(result.get("stderr").textValue())
                    .isEqualTo("Execution denied: /usr/bin/whoami: ask the team\n".repeat(2));
        }
    }

    @Test
    void mcp10_aProgramThatIsMissingIsMissing() throws Exception {
        write("prefix_rule([\"whoami\"], decision=\"prompt\")");
        try (McpStdio mcp = start().initialized()) {
            assertThat(run(mcp, "no-such-program-here; echo $?; /etc/passwd; echo $?")
                            .get("stdout")
                            .textValue())
                    .isEqualTo("127\n126\n");
        }
    }

    @Test
    void theUserIsAskedAboutWhatRunsAndHisYesLetsItOut() throws Exception {
        write("prefix_rule([\"touch\"], decision=\"prompt\", justification=\"it makes files\")");
        try (McpStdio mcp = asked("accept", Json.object())) {
            JsonNode result = run(mcp, "touch '../a b'; echo $?");
            JsonNode question = mcp.nextQuestion();

            assertThat(result.get("stdout").textValue()).isEqualTo("0\n");
            assertThat(question.get("method").textValue()).isEqualTo("elicitation/create");
            assertThat(question.at("/params/message").textValue())
                    .isEqualTo("Allow agent to run `/usr/bin/touch '../a b'` in `" + work + "`? it makes files");
            assertThat(question.at("/params/requestedSchema/title").textValue())
                    .isEqualTo("Execution Permission Request");
            assertThat(question.at("/params/requestedSchema/properties/reason/type")
                            .textValue())
                    .isEqualTo("string");
        }
        assertThat(home.resolve("a b")).exists();
    }

    @Test
    void aNoAndACancelAreDenials() throws Exception {
        write("prefix_rule([\"touch\"], decision=\"prompt\")");
        try (McpStdio mcp = asked("decline", Json.object())) {
            JsonNode result = run(mcp, "touch x; echo $?");
            assertThat(result.get("stdout").textValue()).isEqualTo("126\n");
            assertThat(result.get("stderr").textValue())
                    .isEqualTo("Execution denied: /usr/bin/touch: User declined execution\n");

            mcp.answering(_ -> Json.object("action", "cancel"));
            assertThat(run(mcp, "touch x").get("stderr").textValue())
                    .isEqualTo("Execution denied: /usr/bin/touch: User cancelled execution\n");
        }
        assertThat(work.resolve("x")).doesNotExist();
    }

    @Test
    void anAnswerIsRememberedOnRequest() throws Exception {
        write("prefix_rule([\"touch\"], decision=\"prompt\")");
        try (McpStdio mcp = asked("accept", Json.object("remember", "session"))) {
            run(mcp, "touch x; touch x");
            run(mcp, "touch x");

            assertThat(mcp.waitingQuestions()).isOne();
        }
    }

    @Test
    void theUserIsAskedAboutADangerousCommandLineAndItStaysInTheSandbox() throws Exception {
        write("prefix_rule([\"whoami\"], decision=\"forbidden\")");
        Path outside = Files.createDirectory(home.resolve("outside"));
        try (McpStdio mcp = asked("accept", Json.object())) {
            run(mcp, "mkdir inside; rm -rf inside ../outside");

            assertThat(mcp.nextQuestion().at("/params/message").textValue()).contains("/rm -rf inside ../outside`");
        }
        assertThat(work.resolve("inside")).doesNotExist();
        assertThat(outside).exists();
    }

    @Test
    void mcp06_anAllowedProgramEndsWithItsCall() throws Exception {
        write("prefix_rule([\"sleep\"], decision=\"allow\")");
        String mark = UUID.randomUUID().toString();
        try (McpStdio mcp = start().initialized()) {
            JsonNode result = mcp.tool(
                    "shell",
                    McpStdio.shellArguments("echo before; MARK=" + mark + " sleep 94", work.toString())
                            .put("timeout_ms", 2_000));

            assertThat(result.get("timed_out").booleanValue()).isTrue();
            assertThat(result.get("output").textValue()).isEqualTo("before\n");
            await().atMost(LIMIT).until(() -> ProcFs.marked(mark).isEmpty());
        }
    }

    @Test
    void mcp09_aClientThatCannotAskGetsADenialThatSaysSo() throws Exception {
        write("prefix_rule([\"touch\"], decision=\"prompt\")");
        try (McpStdio mcp = start().initialized()) {
            assertThat(run(mcp, "touch x").get("stderr").textValue())
                    .isEqualTo("Execution denied: /usr/bin/touch: Execution requires approval,"
                            + " but the client does not support elicitation\n");
            assertThat(mcp.waitingQuestions()).isZero();
        }
    }

    @Test
    void theClockStandsStillWhileTheUserIsAsked() throws Exception {
        write("prefix_rule([\"touch\"], decision=\"prompt\")");
        try (McpStdio mcp = start()) {
            mcp.initialize("2025-06-18", Json.object("elicitation", Json.object()));
            McpStdio.Sent call = mcp.startTool(
                    "shell",
                    McpStdio.shellArguments("touch x; echo done", work.toString())
                            .put("timeout_ms", 4_000));
            JsonNode question = mcp.nextQuestion();
            // Longer than the time limit: what must not happen meanwhile can only be waited for.
            await().pollDelay(Duration.ofMillis(4_500))
                    .atMost(LIMIT)
                    .until(() -> !call.answer().isDone());
            mcp.send(Json.object(
                            "jsonrpc", "2.0",
                            "id", question.get("id"),
                            "result", Json.object("action", "accept"))
                    .toString());

            assertThat(McpStdio.content(mcp.await(call.answer())).get("output").textValue())
                    .isEqualTo("done\n");
        }
    }

    @Test
    void aQuestionOfACancelledCallIsTakenBack() throws Exception {
        write("prefix_rule([\"touch\"], decision=\"prompt\")");
        try (McpStdio mcp = start()) {
            mcp.initialize("2025-06-18", Json.object("elicitation", Json.object()));
            McpStdio.Sent call = mcp.startTool("shell", McpStdio.shellArguments("touch x", work.toString()));
            JsonNode question = mcp.nextQuestion();
            mcp.notify("notifications/cancelled", Json.object("requestId", call.id()));
            JsonNode taken = mcp.nextNotification();

            assertThat(taken.get("method").textValue()).isEqualTo("notifications/cancelled");
            assertThat(taken.at("/params/requestId")).isEqualTo(question.get("id"));
        }
    }

    @Test
    void mcp12_changedRulesHoldAndBrokenOnesDoNot() throws Exception {
        write("prefix_rule([\"whoami\"], decision=\"forbidden\")");
        try (McpStdio mcp = start().initialized()) {
            assertThat(run(mcp, "whoami").get("exit_code").intValue()).isEqualTo(126);
            write("prefix_rule([\"id\"], decision=\"forbidden\", justification=\"now this\")");
            assertThat(run(mcp, "whoami && id").get("exit_code").intValue()).isEqualTo(126);
            assertThat(run(mcp, "whoami").get("exit_code").intValue()).isZero();
            write("prefix_rule([\"id\"");
            assertThat(run(mcp, "id").get("exit_code").intValue()).isEqualTo(126);
            mcp.server().awaitStderr("the last good ones stay");
        }
    }

    @Test
    void noCommandChangesItsOwnRules() throws Exception {
        write("prefix_rule([\"whoami\"], decision=\"forbidden\")");
        try (McpStdio mcp = start().initialized()) {
            JsonNode result = mcp.shell(
                    "echo '' > codex/rules/default.rules; echo 'prefix_rule([\"sh\"])' > codex/rules/new.rules; true",
                    home.toString());

            assertThat(result.get("stderr").textValue().lines()).hasSize(2);
            assertThat(rules).content().contains("whoami");
            assertThat(rules.resolveSibling("new.rules")).doesNotExist();
        }
    }

    @Test
    void brokenRulesRefuseTheStart() throws Exception {
        write("prefix_rule(");
        try (McpStdio mcp = start()) {
            assertThat(mcp.server().exitStatus()).isOne();
            assertThat(mcp.server().stderr()).contains("failed to parse policy at " + rules);
        }
    }

    @Test
    void aMissingHomeRefusesTheStart() {
        try (McpStdio mcp =
                McpStdio.start(Map.of("CODEX_HOME", home.resolve("none").toString()))) {
            assertThat(mcp.server().exitStatus()).isOne();
            assertThat(mcp.server().stderr()).contains("CODEX_HOME points to").contains("that path does not exist");
        }
    }

    @Test
    void thePolicyOfTheClientHoldsForLaterCalls() {
        try (McpStdio mcp = start().initialized()) {
            assertThat(update(mcp, Json.object("type", "read-only")).has("result"))
                    .isTrue();
            assertThat(run(mcp, "touch x || echo refused").get("stdout").textValue())
                    .isEqualTo("refused\n");
            update(mcp, Json.object("type", "workspace-write", "writable_roots", Json.value(new String[] {
                home.toString()
            })));
            assertThat(run(mcp, "touch ../x && echo made").get("stdout").textValue())
                    .isEqualTo("made\n");
            assertThat(mcp.request("codex/sandbox-state/update", Json.object("bad", 1))
                            .at("/error/message")
                            .textValue())
                    .startsWith("failed to deserialize sandbox state");
            update(mcp, Json.object("type", "danger-full-access"));
            assertThat(run(mcp, "touch /var/tmp/x-$$ && rm /var/tmp/x-$$ && echo free")
                            .get("stdout")
                            .textValue())
                    .isEqualTo("free\n");
        }
    }

    private JsonNode update(McpStdio mcp, JsonNode policy) {
        return mcp.request(
                "codex/sandbox-state/update",
                Json.object(
                        "sandboxPolicy",
                        policy,
                        "sandboxCwd",
                        work.toString(),
                        "codexLinuxSandboxExe",
                        "/no/such/program",
                        "useLinuxSandboxBwrap",
                        true));
    }

    @Test
    void theRootsOfTheClientAreItsWorkspace() throws Exception {
        Path root = Files.createDirectory(home.resolve("root"));
        try (McpStdio mcp = start()) {
            mcp.answering(_ -> Json.object(
                    "roots",
                    Json.value(new Object[] {Json.object("uri", root.toUri().toString())})));
            mcp.initialize("2025-06-18", Json.object("roots", Json.object("listChanged", true)));

            assertThat(run(mcp, "touch ../root/x && echo made; touch x 2>/dev/null || echo refused")
                            .get("stdout")
                            .textValue())
                    .isEqualTo("made\nrefused\n");
            assertThat(mcp.nextQuestion().get("method").textValue()).isEqualTo("roots/list");
            mcp.notify("notifications/roots/list_changed", Json.object());
            assertThat(mcp.nextQuestion().get("method").textValue()).isEqualTo("roots/list");
        }
    }

    @Test
    void theProfileOfTheOperatorAndTheFloorHold() throws Exception {
        Path profile = home.resolve("profile.json");
        Files.writeString(profile, """
                {"type":"managed","network":"restricted","file_system":{"type":"restricted","entries":[
                {"path":{"type":"special","value":{"kind":"root"}},"access":"read"}]}}""");
        try (McpStdio mcp = start("--profile", profile.toString()).initialized()) {
            assertThat(run(mcp, "touch x || echo refused").get("stdout").textValue())
                    .isEqualTo("refused\n");
        }
        write("prefix_rule([\"touch\"])");
        try (McpStdio mcp = start("--sandbox-floor", profile.toString()).initialized()) {
            assertThat(run(mcp, "touch x || echo refused").get("stdout").textValue())
                    .isEqualTo("refused\n");
            update(mcp, Json.object("type", "danger-full-access"));
            assertThat(mcp.request(
                                    "tools/call",
                                    Json.object("name", "shell", "arguments", McpStdio.shellArguments("true", "/")))
                            .at("/error/message")
                            .textValue())
                    .contains("--sandbox-floor");
        }
    }

    @Test
    void aProfileIsGivenByItsName() throws Exception {
        try (McpStdio mcp = start("--profile", ":read-only").initialized()) {
            assertThat(run(mcp, "touch x 2>/dev/null || echo refused")
                            .get("stdout")
                            .textValue())
                    .isEqualTo("refused\n");
        }
    }
}
