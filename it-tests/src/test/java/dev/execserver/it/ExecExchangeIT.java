package dev.execserver.it;

import static dev.execserver.it.support.ExecScene.DENIED;
import static dev.execserver.it.support.ExecScene.policy;
import static dev.execserver.it.support.ExecScene.rule;
import static dev.execserver.it.support.ExecScene.stderr;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.ExecScene;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that a command could exchange for others, and other names under which it could run a program. */
@Timeout(120)
class ExecExchangeIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final String CAN_WRITE = "the command can write ";

    private ExecScene execs;

    @BeforeEach
    void connect() {
        execs = new ExecScene(SERVER.client());
    }

    @AfterEach
    void leave() {
        execs.close();
    }

    private Path script(Path folder, String text) throws IOException {
        Path file = Files.writeString(folder.resolve("tool"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static ObjectNode escalating(ObjectNode... rules) {
        return policy(rules).put("allowed", "escalate");
    }

    private void assertRefused(RemoteProcess process) {
        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
        process.closed();
        assertThat(stderr(process)).contains(CAN_WRITE, "answer `run`");
    }

    @Test
    void aProgramThatTheCommandCanWriteDoesNotLeaveTheSandboxByAnAnswer() throws IOException {
        Path tool = script(execs.scene().workspace(), "#!/bin/sh\ntrue\n");
        RemoteProcess process = execs.run(true, tool + "; exit $?", policy(rule("prompt", tool.toString())));

        execs.answer(execs.question(), "escalate");

        assertRefused(process);
    }

    @Test
    void aScriptWhoseInterpreterTheCommandCanWriteDoesNotLeaveTheSandbox() throws IOException {
        Path interpreter = script(execs.scene().workspace(), "#!/bin/sh\ntrue\n");
        Path tool = script(execs.scene().base(), "#!" + interpreter + "\n");
        RemoteProcess process = execs.run(true, tool + "; exit $?", escalating(rule("allow", tool.toString())));

        assertRefused(process);
    }

    @Test
    void anOwnProgramThatIsReachedByALinkOfTheCommandDoesNotLeaveTheSandbox() throws IOException {
        Path link = Files.createSymbolicLink(execs.scene().workspace().resolve("link"), Path.of("/usr/bin/uname"));
        Start start = Start.of(link.toString())
                .with("sandbox", execs.scene().sandbox())
                .with("execPolicy", escalating(rule("allow", "/usr/bin/uname")));

        Answer answer = execs.client().sendStart(start).started();

        assertThat(answer.errorMessage()).contains(CAN_WRITE + execs.scene().workspace());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "printf '#!/usr/bin/id\\n' >x; chmod +x x; ./x",
                "printf '#!/usr/bin/env -S id\\n' >x; chmod +x x; ./x",
                "printf '#! /usr/bin/id -u\\n' >y; chmod +x y; printf '#!%s/y\\n' $PWD >x; chmod +x x; ./x",
                "for l in /lib*/ld-*.so.*; do $l /usr/bin/id; exit $?; done",
                "for l in /lib*/ld-*.so.*; do $l --argv0 x /usr/bin/id; exit $?; done",
                "for l in /lib*/ld-*.so.*; do $l --library-path /usr/bin id; exit $?; done",
                "export LD_LIBRARY_PATH=/nosuch:/usr/bin; for l in /lib*/ld-*.so.*; do $l id; exit $?; done"
            })
    void aForbiddenProgramDoesNotRunAsAnInterpreterOrUnderALoader(String how) {
        RemoteProcess process = execs.run(true, "cd " + execs.scene().workspace() + "; " + how, ExecScene.forbidden());

        process.closed();
        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
        assertThat(process.text()).doesNotContain("uid=");
    }

    @Test
    void aRuleWithAPathHoldsForAProgramThatALoaderFindsByAVariable() {
        String script = "export LD_LIBRARY_PATH=/nosuch:/usr/bin; for l in /lib*/ld-*.so.*; do $l id; exit $?; done";
        RemoteProcess process = execs.run(true, script, policy(rule("forbidden", "/usr/bin/id")));

        process.closed();
        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
        assertThat(process.text()).doesNotContain("uid=");
    }

    @Test
    void aCommandsOwnLoaderIsJudgedByItsVariableToo() throws IOException {
        String loader;
        try (var all = Files.newDirectoryStream(Path.of("/lib64"), "ld-*.so.*")) {
            loader = all.iterator().next().toString();
        }
        Start start = Start.of(loader, "id")
                .with("env", Json.object("LD_LIBRARY_PATH", "/usr/bin"))
                .with("execPolicy", policy(rule("forbidden", "/usr/bin/id")));

        assertThat(execs.client().sendStart(start).started().errorMessage()).contains("Execution denied: ");
    }

    @Test
    void aProgramWithANameInAnotherFolderDoesNotLeaveTheSandbox() throws IOException {
        Path tool = script(execs.scene().base(), "#!/bin/sh\ntrue\n");
        Files.createLink(execs.scene().workspace().resolve("other"), tool);
        RemoteProcess process = execs.run(true, tool + "; exit $?", escalating(rule("allow", tool.toString())));

        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
        process.closed();
        assertThat(stderr(process)).contains(tool + " has other names (hard links)");
    }

    @Test
    void aProgramWhoseNamesAreAllInItsFolderLeavesTheSandbox() throws IOException {
        Path tool =
                script(execs.scene().base(), "#!/bin/sh\ntouch " + execs.scene().base() + "/made\n");
        Files.createLink(execs.scene().base().resolve("tool-1.0"), tool);
        RemoteProcess process = execs.run(true, tool + "; exit $?", escalating(rule("allow", tool.toString())));

        assertThat(process.exited().exitCode()).isZero();
        assertThat(execs.scene().base().resolve("made")).exists();
    }

    @Test
    void aLinkInTheMiddleOfTheWayIsANameToo() throws IOException {
        Path middle = Files.createSymbolicLink(execs.scene().base().resolve("middle"), Path.of("/usr/bin/true"));
        Path first = Files.createSymbolicLink(execs.scene().base().resolve("first"), middle);

        RemoteProcess process = execs.run(true, first + "; exit $?", policy(rule("forbidden", "middle")));

        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
    }

    @Test
    void anAllowedScriptRunsOnlyByAPathOnWhichTheCommandCannotExchangeIt() throws IOException {
        Path tool = script(execs.scene().base(), "#!/bin/sh\necho ran\n");
        Files.createSymbolicLink(execs.scene().workspace().resolve("link"), tool);
        ObjectNode only =
                policy(rule("allow", tool.toString()), rule("allow", "sh")).put("fallback", "forbid");
        String script = tool + "; echo $?; cd " + execs.scene().workspace() + "; ./link; echo $?; $PWD/link; echo $?;"
                + " cd ..; ./tool; echo $?";

        RemoteProcess process = execs.run(true, script, only);

        process.closed();
        assertThat(new String(process.events().output("stdout"), StandardCharsets.UTF_8))
                .isEqualTo("ran\n0\n126\n126\n126\n");
    }

    @Test
    void argumentsOfAScriptAreThoseThatWereDecided() throws IOException {
        Path tool = script(execs.scene().base(), "#!/bin/sh -u\necho $0 $*\n");

        RemoteProcess process = execs.run(true, tool + " a 'b c'; " + tool, ExecScene.forbidden());

        process.closed();
        assertThat(process.text()).isEqualTo(tool + " a b c\n" + tool + "\n");
    }

    @Test
    void anAnswerForAProgramInASandboxDoesNotHoldWithoutOne() {
        RemoteProcess inside = execs.run(true, "id", ExecScene.prompted());
        JsonNode question = execs.question();
        execs.answer(question, "run", "remember", "session");
        assertThat(inside.exited().exitCode()).isZero();

        RemoteProcess outside = execs.run(false, "id", ExecScene.prompted());
        JsonNode again = execs.question();
        execs.answer(again, "deny");

        assertThat(outside.exited().exitCode()).isEqualTo(DENIED);
        assertThat(question.get("params").get("sandboxed").booleanValue()).isTrue();
        assertThat(again.get("params").get("sandboxed").booleanValue()).isFalse();
    }

    @Test
    void aCheckOfAProgramExecutesNothing() {
        Path outside = execs.scene().base().resolve("outside");
        // execveat(2) with AT_EXECVE_CHECK
        String check = "import ctypes, platform; c = ctypes.CDLL(None, use_errno=True); "
                + "n = 322 if platform.machine() == 'x86_64' else 281; "
                + "a = (ctypes.c_char_p * 3)(b'touch', b'" + outside + "', None); "
                + "print(c.syscall(n, -100, b'/usr/bin/touch', a, None, 0x10000) in (0, -1))";

        RemoteProcess process = execs.run(true, "python3 -c \"" + check + "\"", escalating(rule("allow", "touch")));

        process.closed();
        assertThat(process.text()).isEqualTo("True\n");
        assertThat(outside).doesNotExist();
    }
}
