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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The escalation protocol of {@code mcp --execve}, spoken by a wrapper that was written from its description. */
@Timeout(180)
class ShellMcpWrapperIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String W = "$BASH_EXEC_WRAPPER ";

    @TempDir(factory = VarTmp.class)
    private Path home;

    private Path work;
    private McpStdio mcp;

    @BeforeEach
    void makeFolders() throws IOException {
        work = Files.createDirectory(home.resolve("work"));
        Path rules = Files.createDirectories(home.resolve("codex/rules")).resolve("default.rules");
        Files.writeString(rules, """
                prefix_rule(["touch"])
                prefix_rule(["env"])
                prefix_rule(["sleep"])
                prefix_rule(["sh"])
                prefix_rule(["pwd"])
                prefix_rule(["uname"], "prompt")
                prefix_rule(["whoami"], "forbidden", justification="nobody asks that")
                """);
        for (String name : List.of("wrapper.py", "without-notification.py")) {
            Path file = Files.write(
                    home.resolve(name),
                    ShellMcpWrapperIT.class
                            .getResourceAsStream("/wrapper/" + name)
                            .readAllBytes());
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
    }

    @AfterEach
    void close() {
        mcp.close();
    }

    private Map<String, String> environment() {
        return Map.of(
                "HOME", home.toString(), "CODEX_HOME", home.resolve("codex").toString());
    }

    private String wrapper() {
        return home.resolve("wrapper.py").toString();
    }

    private void start() {
        mcp = McpStdio.start(environment(), "--execve", wrapper(), "--bash", "/bin/bash");
        introduce();
    }

    private void introduce() {
        JsonNode _ = mcp.initialize("2025-06-18", Json.object("elicitation", Json.object()));
        JsonNode _ = mcp.request(
                "codex/sandbox-state/update",
                Json.object("sandboxPolicy", Json.object("type", "read-only"), "sandboxCwd", work.toString()));
    }

    private JsonNode run(String command) {
        return mcp.shell(command, work.toString());
    }

    private String output(String command) {
        return run(command).get("output").textValue();
    }

    @Test
    void anAllowedProgramRunsOutsideWithTheDescriptorsAndTheCodeOfTheWrapper() {
        start();

        assertThat(output(W + "/usr/bin/touch touch made; echo $?; /bin/touch other; echo $?"))
                .isEqualTo("0\n0\n");
        assertThat(output("echo in | " + W + "/bin/sh sh -c 'cat; cat <&7; umask; echo e >&2; exit 5' 7</etc/hostname"
                        + " >out 2>&1; echo $?"))
                .contains("Read-only file system");
        assertThat(output("umask 027; echo in | " + W
                        + "/bin/sh sh -c 'cat; read x <&7 && echo seven; umask; exit 5' 7</etc/passwd; echo $?"))
                .isEqualTo("in\nseven\n0027\n5\n");
        assertThat(work.resolve("made")).exists();
    }

    @Test
    void mcp07_itInheritsNoSocketOfTheWrapper() {
        start();

        assertThat(output(W + "/bin/sh sh -c 'readlink /proc/self/fd/*'")).doesNotContain("socket");
    }

    @Test
    void mcp11_aForbiddenProgramIsDeniedWithTheReason() {
        start();

        JsonNode denied = run(W + "/usr/bin/whoami whoami; echo $?");
        assertThat(denied.get("stdout").textValue()).isEqualTo("1\n");
        assertThat(denied.get("stderr").textValue()).isEqualTo("Execution denied: /usr/bin/whoami: nobody asks that\n");
    }

    @Test
    void theUserIsAskedOnceAndHisAnswerCounts() {
        start();
        mcp.answering(_ -> Json.object("action", "accept", "content", Json.object()));
        assertThat(output(W + "/usr/bin/uname uname")).isEqualTo("Linux\n");
        assertThat(mcp.nextQuestion().at("/params/message").textValue())
                .isEqualTo("Allow agent to run `/usr/bin/uname` in `" + work + "`?");

        mcp.answering(_ -> Json.object("action", "decline"));
        assertThat(output(W + "/usr/bin/uname uname"))
                .isEqualTo("Execution denied: /usr/bin/uname: User declined execution\n");
        assertThat(mcp.nextQuestion().at("/params/message").textValue()).contains("uname");

        mcp.answering(_ -> Json.object("action", "accept", "content", Json.object()));
        assertThat(output(W + "/bin/rm rm -rf nothing; echo $?")).isEqualTo("0\n");
        assertThat(mcp.nextQuestion().at("/params/message").textValue()).contains("rm -rf nothing");
        assertThat(mcp.waitingQuestions()).isZero();
    }

    @Test
    void aQuestionOfAWrapperThatHasGoneIsTakenBack() throws IOException {
        start();
        mcp.answering(_ -> null);
        ObjectNode arguments = McpStdio.shellArguments(
                "(exec " + W + "/usr/bin/uname uname) & until [ -e asked ]; do sleep 0.1; done; kill $!; echo gone",
                work.toString());
        McpStdio.Sent call = mcp.startTool("shell", arguments);
        JsonNode question = mcp.nextQuestion();
        Files.createFile(work.resolve("asked"));

        JsonNode taken = mcp.nextNotification();
        assertThat(taken.get("method").textValue()).isEqualTo("notifications/cancelled");
        assertThat(taken.at("/params/requestId")).isEqualTo(question.get("id"));
        assertThat(McpStdio.content(mcp.await(call.answer())).get("stdout").textValue())
                .isEqualTo("gone\n");
    }

    @Test
    void whatNoRuleMatchesRunsInTheSandbox() {
        start();

        assertThat(output(W + "/bin/cp cp /etc/hostname copy; echo $?")).contains("Read-only file system", "1\n");
        assertThat(output(W + "/bin/nothing nothing")).isEqualTo("Error: No such file or directory\n");
    }

    @Test
    void mcp01_whatDoesNotComeThroughTheWrapperIsSeenToo() {
        start();

        assertThat(output("python3 -c 'import os; os.execvp(\"whoami\", [\"whoami\"])'; echo $?"))
                .isEqualTo("Execution denied: /usr/bin/whoami: nobody asks that\n126\n");
        assertThat(output("unset BASH_EXEC_WRAPPER CODEX_ESCALATE_SOCKET; exec 3>&-; touch made; whoami; echo $?"))
                .isEqualTo("Execution denied: /usr/bin/whoami: nobody asks that\n126\n");
        assertThat(work.resolve("made")).exists();
    }

    @Test
    void mcp02_noVariableLetsForeignCodeOut() {
        start();

        assertThat(output(
                        "export GOOD=1 LD_PRELOAD_X=1 BASH_ENV=/x PYTHONPATH=/x GIT_SSH=/x; " + W + "/usr/bin/env env"))
                .doesNotContain("BASH_ENV", "PYTHONPATH", "GIT_SSH", "CODEX_ESCALATE", "EXEC_WRAPPER");
    }

    @Test
    void mcp03_aForgedProgramOfTheSameNameStaysInTheSandbox() throws Exception {
        start();
        JsonNode _ = mcp.request(
                "codex/sandbox-state/update",
                Json.object("sandboxPolicy", Json.object("type", "workspace-write"), "sandboxCwd", work.toString()));

        String out = output("printf '#!/bin/sh\\necho forged; echo x > " + home + "/outside' > touch; chmod +x touch; "
                + W + work + "/touch touch");
        assertThat(out).contains("forged\n", "Read-only file system");
        assertThat(home.resolve("outside")).doesNotExist();
    }

    @Test
    void mcp14_theDirectoryIsThatOfTheProcessWhateverItClaims() {
        start();

        assertThat(output("cd /usr/bin; WRAPPER_CLAIMS=" + home + " " + W + "./pwd pwd"))
                .isEqualTo("/usr/bin\n");
    }

    @Test
    void mcp06_aProgramOutsideEndsWithItsCallAndWithItsWrapper() {
        start();
        String mark = UUID.randomUUID().toString();
        JsonNode result = mcp.tool(
                "shell",
                McpStdio.shellArguments("echo before; MARK=" + mark + " " + W + "/bin/sleep sleep 94", work.toString())
                        .put("timeout_ms", 3_000));
        assertThat(result.get("timed_out").booleanValue()).isTrue();
        assertThat(result.get("output").textValue()).isEqualTo("before\n");
        await().atMost(LIMIT).until(() -> ProcFs.marked(mark).isEmpty());
    }

    @Test
    void mcp06_signalsGoFromTheWrapperToTheProgramAndBack() {
        start();

        assertThat(output("coproc " + W
                        + "/bin/sh sh -c 'trap \"echo told >&2; exit\" TERM; echo up; while :; do sleep 0.1; done';"
                        + " read up <&${COPROC[0]}; kill -TERM $COPROC_PID; wait $COPROC_PID; echo $?"))
                .contains("143");
        assertThat(output("(exec " + W + "/bin/sh sh -c 'kill -KILL $$'); echo $?"))
                .contains("137");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "two descriptors",
                "a file",
                "no descriptor",
                "from another",
                "a long frame",
                "no JSON",
                "too few descriptors",
                "a network socket"
            })
    void mcp15_whoBreaksTheProtocolGetsNothingAndTheOthersGoOn(String fault) {
        start();

        JsonNode broken = mcp.tool(
                "shell",
                McpStdio.shellArguments(
                                "WRAPPER_FAULT='" + fault + "' " + W + "/usr/bin/touch touch made", work.toString())
                        .put("timeout_ms", 10_000));
        assertThat(broken.get("exit_code").intValue()).isNotZero();
        assertThat(work.resolve("made")).doesNotExist();
        assertThat(output(W + "/usr/bin/touch touch made; echo $?")).isEqualTo("0\n");
    }

    @Test
    void whereNothingIsInterceptedTheWrapperDecidesAlone() {
        mcp = McpStdio.startedBy(
                List.of(
                        home.resolve("without-notification.py").toString(),
                        "env",
                        "HOME=" + home,
                        "CODEX_HOME=" + home.resolve("codex")),
                List.of("--execve", wrapper(), "--bash", "/bin/bash"));
        introduce();

        JsonNode result = run(W + "/usr/bin/touch touch made; echo $?; touch other; echo $?");
        assertThat(result.get("stdout").textValue()).isEqualTo("0\n1\n");
        assertThat(result.get("stderr").textValue()).contains("Read-only file system");
        assertThat(output(W + "/usr/bin/whoami whoami; echo $?")).contains("nobody asks that");
        mcp.answering(_ -> Json.object("action", "decline"));
        assertThat(output(W + "/bin/rm rm -rf nothing; echo $?")).contains("User declined execution");
        assertThat(work.resolve("made")).exists();
    }
}
