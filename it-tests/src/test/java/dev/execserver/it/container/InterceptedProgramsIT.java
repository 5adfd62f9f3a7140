package dev.execserver.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.container.Session.Finding;
import dev.execserver.it.container.Session.Ran;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.ExecScene;
import dev.execserver.it.support.Start;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules for programs in containers: the project's profile allows what they need, that of the engine does not. */
@Timeout(120)
class InterceptedProgramsIT {
    private static final String LAYER = "exec interception";

    private static Start start(String script, ObjectNode policy) {
        return Policies.confined(Policies.workspaceWrite(), script).with("execPolicy", policy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000:1000", "0:0"})
    void withTheProfileOfTheProjectTheyAreEnforced(String user) {
        ObjectNode policy = ExecScene.policy(
                        ExecScene.rule("forbidden", "id"), ExecScene.rule("allow", "/usr/bin/touch"))
                .put("allowed", "escalate");
        try (ServerContainer server = ServerContainer.sandboxing().user(user).started();
                Session session = Session.with(server)) {
            assertThat(session.finding(LAYER).status()).isEqualTo("ok");

            Ran ran = session.run(
                    start("env id; echo $?; (> /tmp/out) 2>/dev/null; touch /var/tmp/out; echo $?", policy));

            assertThat(ran.text()).contains("Execution denied: /usr/bin/id: no ids", "126\n", "0\n");
            assertThat(session.run("ls /var/tmp").text()).contains("out");
        }
    }

    @Test
    void withTheProfileOfTheEngineAStartWithThemIsRefusedAndSaysWhy() {
        try (ServerContainer server = new ServerContainer().started();
                Session session = Session.with(server)) {
            Finding finding = session.finding(LAYER);

            Answer answer = session.client()
                    .sendStart(Policies.inWorkspace("id").with("execPolicy", ExecScene.forbidden()))
                    .started();

            assertThat(finding.status()).isEqualTo("missing");
            assertThat(finding.remedy()).isNotBlank();
            assertThat(answer.errorMessage())
                    .contains("programs cannot be intercepted on this machine", finding.result());
            assertThat(session.run("echo ran").text()).isEqualTo("ran\n");
        }
    }
}
