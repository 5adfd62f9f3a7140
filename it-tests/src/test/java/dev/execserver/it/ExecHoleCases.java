package dev.execserver.it;

import static dev.execserver.it.support.ExecScene.policy;
import static dev.execserver.it.support.ExecScene.rule;
import static dev.execserver.it.support.ExecScene.stderr;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.ExecScene;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ways by which commands of other systems get around rules for programs, or out of their sandbox by such a rule. */
@Timeout(120)
abstract class ExecHoleCases {
    private ExecScene execs;

    /** Returns the server, which runs for all tests. */
    abstract ServerProcess server();

    /** Returns the user whom the workspace belongs to. */
    abstract int user();

    @BeforeEach
    void connect() throws IOException {
        WireClient client = WireClient.connect(server().port());
        client.handshake();
        execs = new ExecScene(client);
        for (Path folder : List.of(execs.scene().base(), execs.scene().workspace())) {
            Files.setAttribute(folder, "unix:uid", user());
        }
    }

    @AfterEach
    void leave() {
        execs.client().close();
        execs.close();
    }

    private static ObjectNode escalating(String... rules) {
        ObjectNode[] all = new ObjectNode[rules.length];
        for (int i = 0; i < rules.length; i++) {
            all[i] = rule("allow", rules[i]);
        }
        return policy(all).put("allowed", "escalate").put("report", "decisions");
    }

    private static String stdout(RemoteProcess process) {
        return new String(process.events().output("stdout"), StandardCharsets.UTF_8);
    }

    @Test
    void aLoaderVariableDoesNotReachAProgramThatLeavesTheSandbox() {
        RemoteProcess process =
                execs.run(true, "LD_PRELOAD=/nosuch/evil.so NO_COLOR=yes env", escalating("/usr/bin/env"));

        process.closed();
        assertThat(stdout(process)).contains("NO_COLOR=yes").doesNotContain("LD_PRELOAD");
        assertThat(execs.client().nextStray().at("/params/decision").asText()).isEqualTo("escalate");
    }

    @Test
    void aForgedProgramOfAnAllowedNameDoesNotLeaveTheSandbox() {
        Path outside = execs.scene().base().resolve("outside");

        RemoteProcess process = execs.run(
                true,
                "cp /usr/bin/touch id; ./id " + outside + "; PATH=.:$PATH id " + outside + "; id -u",
                escalating("id"));

        process.closed();
        assertThat(outside).doesNotExist();
        assertThat(stdout(process)).isEqualTo(user() + "\n");
        JsonNode report = execs.client().nextStray();
        assertThat(report.at("/params/program").asText()).isEqualTo("file:///usr/bin/id");
        assertThat(report.at("/params/decision").asText()).isEqualTo("escalate");
    }

    @Test
    void relativePathsStandForTheFileThatRuns() {
        RemoteProcess process = execs.run(
                true,
                "cd /usr/bin; ./id -u; cd /; ./usr/bin/id -u; cd /usr/lib; ../bin/id -u",
                escalating("/usr/bin/id"));

        process.closed();
        assertThat(stdout(process)).isEqualTo((user() + "\n").repeat(3));
        for (String cwd : List.of("file:///usr/bin", "file:///", "file:///usr/lib")) {
            JsonNode report = execs.client().nextStray();
            assertThat(report.at("/params/program").asText()).isEqualTo("file:///usr/bin/id");
            assertThat(report.at("/params/cwd").asText()).isEqualTo(cwd);
            assertThat(execs.client().nextStray().at("/method").asText()).isEqualTo("exec/ended");
        }
    }

    @Test
    void noSpellingAndNoLostVariableHidesAForbiddenProgram() {
        String script =
                "cd /usr/bin; ./whoami; echo $?; ../bin/whoami; echo $?; cd /; usr/bin/../bin/./whoami; echo $?;"
                        + " env -i /usr/bin/whoami; echo $?; unset PATH BASH_EXEC_WRAPPER; /usr/bin/whoami; echo $?";

        RemoteProcess process = execs.run(true, script, policy(rule("forbidden", "whoami")));

        process.closed();
        assertThat(stdout(process)).isEqualTo("126\n".repeat(5));
        assertThat(stderr(process).lines()).hasSize(5).allMatch("Execution denied: /usr/bin/whoami: no ids"::equals);
    }

    @Test
    void aScriptIsDecidedByItsOwnPath() throws IOException {
        Path script = execs.scene().workspace().resolve("zz.sh");
        Files.writeString(script, "#!/bin/sh\necho script $0\n");
        assertThat(script.toFile().setExecutable(true, false)).isTrue();

        RemoteProcess process = execs.run(true, "./zz.sh; echo $?", policy(rule("forbidden", script.toString())));

        process.closed();
        assertThat(stdout(process)).isEqualTo("126\n");
    }

    @Test
    void withoutASandboxTheRulesHoldToo() {
        RemoteProcess process = execs.client()
                .start(Start.shell("env whoami; echo $?").with("execPolicy", policy(rule("forbidden", "whoami"))));

        process.closed();
        assertThat(stdout(process)).isEqualTo("126\n");
    }
}
