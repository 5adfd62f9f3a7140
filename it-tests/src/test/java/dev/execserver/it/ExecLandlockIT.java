package dev.execserver.it;

import static dev.execserver.it.support.ExecScene.policy;
import static dev.execserver.it.support.ExecScene.rule;
import static dev.execserver.it.support.ExecScene.stderr;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.ExecScene;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rules for programs where Landlock makes the sandboxes. */
@Timeout(120)
class ExecLandlockIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with("--sandbox-backend", "landlock");

    private ExecScene execs;

    @BeforeEach
    void connect() {
        execs = new ExecScene(SERVER.client());
    }

    @AfterEach
    void leave() {
        execs.close();
    }

    /** Runs a script in a sandbox in which nothing can be written: Landlock has no other for a whole machine. */
    private RemoteProcess run(String script, ObjectNode policy) {
        ObjectNode sandbox = execs.scene().sandbox();
        ((ObjectNode) sandbox.at("/permissions/file_system"))
                .set("entries", Json.value(List.of(SandboxScene.special("root", "read"))));
        return execs.client()
                .start(Start.shell(script)
                        .with("cwd", "file://" + execs.scene().workspace())
                        .with("sandbox", sandbox)
                        .with("execPolicy", policy));
    }

    @Test
    void aForbiddenProgramDoesNotRun() {
        RemoteProcess process = run("id; env id; echo $?; env true && echo ran", policy(rule("forbidden", "id")));

        process.closed();
        assertThat(process.started().result().get("sandboxType").asText()).isEqualTo("linuxSeccomp");
        assertThat(process.text()).contains("126\n", "ran\n").doesNotContain("uid=");
        assertThat(stderr(process).lines()).contains("Execution denied: /usr/bin/id: no ids");
    }

    @Test
    void anEscalatedProgramWritesWhatTheSandboxCannot() {
        Path made = execs.scene().base().resolve("made");

        RemoteProcess process = run(
                "(> " + made + ") 2>/dev/null; echo $?; touch " + made + "; echo $?",
                policy(rule("allow", "/usr/bin/touch")).put("allowed", "escalate"));

        process.closed();
        assertThat(process.text()).isEqualTo("2\n0\n");
        assertThat(made).exists();
    }
}
