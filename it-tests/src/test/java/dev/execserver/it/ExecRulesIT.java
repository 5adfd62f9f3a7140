package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules of the operator hold for every command of every client. */
@Timeout(90)
class ExecRulesIT {
    private static final int DENIED = 126;

    @TempDir
    private static Path folder;

    private static ServerProcess server;

    private final SandboxScene scene = new SandboxScene();
    private WireClient client;

    @BeforeAll
    static void start() throws IOException {
        Path first = Files.createDirectory(folder.resolve("rules"));
        Files.writeString(first.resolve("a.rules"), "prefix_rule([\"id\"], \"forbidden\", justification=\"no ids\")");
        Files.writeString(first.resolve("readme.txt"), "not a rule");
        Path second = Files.writeString(folder.resolve("b.rules"), "prefix_rule([\"uname\"], \"prompt\")");
        server = ServerProcess.listening("--exec-rules", first.toString(), "--exec-rules", second.toString());
    }

    @AfterAll
    static void stop() {
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
        scene.close();
    }

    private static ObjectNode allowing(String path) {
        return Json.object("prefixRules", List.of(Json.object("pattern", List.of(path))), "allowed", "escalate");
    }

    @Test
    void aCommandOfAClientWithoutRulesHasThem() {
        RemoteProcess process = client.start(Start.shell("id; echo $?; env true && echo ran"));

        process.closed();
        assertThat(process.text()).contains("Execution denied: /usr/bin/id: no ids", "126\n", "ran\n");
    }

    @Test
    void theOwnProgramOfACommandHasThem() {
        Answer answer = client.sendStart(Start.of("id")).started();

        assertThat(answer.errorMessage()).isEqualTo("Execution denied: /usr/bin/id: no ids");
    }

    @Test
    void aRuleOfTheClientDoesNotAllowWhatTheOperatorForbids() {
        RemoteProcess process = client.start(scene.shell("id").with("execPolicy", allowing("/usr/bin/id")));

        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
    }

    @Test
    void theyHoldForAProgramThatHasLeftItsSandbox() {
        Path outside = scene.base().resolve("outside");
        String script = "env sh -c 'touch " + outside + "; id; echo $?; env id; echo $?'; echo $?";

        RemoteProcess process = client.start(scene.shell(script).with("execPolicy", allowing("/usr/bin/env")));

        process.closed();
        assertThat(outside).exists();
        assertThat(process.text()).contains("126\n").doesNotContain("uid=");
        assertThat(process.text().lines().filter("126"::equals)).hasSize(2);
    }

    @Test
    void theyHoldForACommandWhoseOwnProgramLeavesTheSandbox() {
        Path outside = scene.base().resolve("outside");
        Start start = Start.of("env", "sh", "-c", "touch " + outside + "; id; echo $?")
                .with("sandbox", scene.sandbox())
                .with("execPolicy", allowing("/usr/bin/env"));

        RemoteProcess process = client.start(start);

        process.closed();
        assertThat(outside).exists();
        assertThat(process.text()).contains("126\n").doesNotContain("uid=");
    }

    @Test
    void aPromptAsksTheClient() {
        RemoteProcess process = client.start(Start.shell("uname"));

        JsonNode question = client.nextStray();
        assertThat(question.get("params").get("matches").get(0).get("rule").asText())
                .endsWith("b.rules:1");
        client.answer(question, Json.object("decision", "run"));

        assertThat(process.exited().exitCode()).isZero();
    }

    @Test
    void aStrictClientIsNotAskedAndItsProgramDoesNotRun() {
        try (ServerProcess strict = ServerProcess.listening(
                        "--protocol",
                        "strict",
                        "--exec-rules",
                        folder.resolve("b.rules").toString());
                WireClient other = WireClient.connect(strict.port())) {
            other.handshake();

            RemoteProcess process = other.start(Start.shell("uname; echo $?; echo ran"));

            process.closed();
            assertThat(process.text()).contains("126\n", "ran\n").doesNotContain("Linux\n");
            assertThat(other.strayCount()).isZero();
        }
    }

    @Test
    void aBrokenFileRefusesTheStartOfTheServer() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.txt"), "prefix_rule([])");

        try (ServerProcess refused = ServerProcess.launched("--exec-rules", broken.toString())) {
            assertThat(refused.exitStatus()).isNotZero();
            assertThat(refused.stderr()).contains("--exec-rules", broken.toString(), "pattern cannot be empty");
        }
    }

    @Test
    void aFileThatOthersCanWriteRefusesTheStartOfTheServer() throws IOException {
        Path shared = Files.writeString(folder.resolve("shared.rules"), "prefix_rule([\"id\"])");
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rw-rw-rw-"));

        try (ServerProcess refused = ServerProcess.launched("--exec-rules", shared.toString())) {
            assertThat(refused.exitStatus()).isNotZero();
            assertThat(refused.stderr()).contains("--exec-rules " + shared, "other users could change it");
        }
    }

    @Test
    void aSandboxedCommandCannotChangeThem() {
        Path rules = folder.resolve("b.rules");
        Start start = Start.shell("echo > " + rules + "; echo $?")
                .with("sandbox", scene.sandbox(SandboxScene.entry(folder, "write")));

        RemoteProcess process = client.start(start);

        process.closed();
        assertThat(process.text()).endsWith("2\n");
        assertThat(rules).content().contains("uname");
    }

    @Test
    void aFolderWithoutRulesRefusesTheStartOfTheServer() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));

        try (ServerProcess refused = ServerProcess.launched("--exec-rules", empty.toString())) {
            assertThat(refused.exitStatus()).isNotZero();
            assertThat(refused.stderr()).contains(empty + " has no file *.rules");
        }
    }
}
