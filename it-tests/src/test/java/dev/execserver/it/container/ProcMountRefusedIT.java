package dev.execserver.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The engine masks parts of /proc, so the kernel lets nobody mount another one. */
@Timeout(120)
class ProcMountRefusedIT {
    private static final String SAID = "Sandboxes get an empty /proc, because it cannot be mounted here.";

    @Test
    void sandboxesWorkWithAnEmptyProcAndTheServerSaysSoOnce() {
        try (ServerContainer server = new ServerContainer()
                        .seccomp(Images.dockerFile("seccomp.json"))
                        .started();
                Session session = Session.with(server)) {
            assertThat(session.finding("proc mount").meaning()).isEqualTo(SAID);
            for (int i = 0; i < 2; i++) {
                Session.Ran ran = session.confined(
                        Policies.workspaceWrite(), "exec 2>&1; echo x > f; cat f; ls -A /proc | wc -l");
                assertThat(ran.backend()).isEqualTo("bubblewrap");
                assertThat(ran.text()).isEqualTo("x\n0\n");
            }
            session.provesFilesInBubblewrap();
            assertThat(server.getLogs().split(SAID, -1)).as(server.getLogs()).hasSize(2);
        }
    }
}
