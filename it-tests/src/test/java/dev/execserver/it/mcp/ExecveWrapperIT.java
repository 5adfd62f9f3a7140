package dev.execserver.it.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.McpStdio;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.VarTmp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The wrapper of this project, {@code exec-server execve-wrapper}, as the shell of {@code mcp --execve} starts it. */
@Timeout(300)
class ExecveWrapperIT {
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
                prefix_rule([["touch", "env"]])
                prefix_rule(["/usr/bin/dash"])
                prefix_rule(["whoami"], "forbidden", justification="nobody asks that")
                """);
        Path script = Files.writeString(
                home.resolve("wrapper"),
                "#!/bin/bash\nexec " + String.join(" ", ServerCommand.script(List.of("execve-wrapper"))) + " \"$@\"\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        mcp = McpStdio.start(
                Map.of(
                        "HOME",
                        home.toString(),
                        "CODEX_HOME",
                        home.resolve("codex").toString()),
                "--execve",
                script.toString(),
                "--bash",
                "/bin/bash");
        JsonNode _ = mcp.initialize("2025-06-18", Json.object());
        JsonNode _ = mcp.request(
                "codex/sandbox-state/update",
                Json.object("sandboxPolicy", Json.object("type", "read-only"), "sandboxCwd", work.toString()));
    }

    @AfterEach
    void close() {
        mcp.close();
    }

    private String output(String command) {
        return mcp.shell(command, work.toString()).get("output").textValue();
    }

    @Test
    void anAllowedProgramRunsOutsideWithAllDescriptorsAndItsCode() {
        assertThat(output("umask 027; ulimit -Sn 99; echo in | " + W
                        + "/usr/bin/dash dash -c 'cat; read x <&7 && echo seven; umask; ulimit -n; echo x > made; exit 5'"
                        + " 7</etc/passwd; echo $?"))
                .isEqualTo("in\nseven\n0027\n99\n5\n");
        assertThat(work.resolve("made")).exists();
    }

    @Test
    void aProgramWithoutARuleBecomesTheWrapperInTheSandbox() {
        assertThat(
                        output(
                                W
                                        + "/usr/bin/bash zzz -c 'echo $0 $1; touch x 2>/dev/null || echo kept; ulimit -Sn; exit 6' zzz a; echo $?"))
                .startsWith("zzz a\n")
                .endsWith("6\n");
    }

    @Test
    void aMissingProgramIs127AndOneThatCannotBeExecutedIs126() {
        assertThat(output(W + "/nonexistent/x x; echo $?; " + W + "/etc/passwd x; echo $?"))
                .contains(
                        "/nonexistent/x: No such file or directory",
                        "127\n",
                        "/etc/passwd: Permission denied",
                        "126\n");
    }

    @Test
    void aForbiddenProgramIsDeniedWithTheReason() {
        assertThat(output(W + "/usr/bin/whoami whoami; echo $?"))
                .isEqualTo("Execution denied: /usr/bin/whoami: nobody asks that\n126\n");
    }

    @Test
    void aSignalThatEndsTheWrapperReachesTheProgramAndADeathComesBack() {
        assertThat(output("coproc " + W
                        + "/usr/bin/dash dash -c 'trap \"echo told >&2; exit\" TERM; echo up; while :; do sleep 0.1; done';"
                        + " read up <&${COPROC[0]}; kill -TERM $COPROC_PID; wait $COPROC_PID; echo $?"))
                .contains("143");
        assertThat(output("(exec " + W + "/usr/bin/dash dash -c 'kill -KILL $$'); echo $?"))
                .contains("137");
    }

    @Test
    void withoutAServerItSaysSo() {
        assertThat(output("unset CODEX_ESCALATE_SOCKET; " + W + "/bin/true true; echo $?; CODEX_ESCALATE_SOCKET=0 " + W
                        + "/bin/true true; echo $?"))
                .contains("CODEX_ESCALATE_SOCKET is not a valid file descriptor", "1\n")
                .doesNotContain("0\n");
    }
}
