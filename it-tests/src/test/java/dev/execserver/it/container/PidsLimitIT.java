package dev.execserver.it.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.RemoteProcess;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A container that may have few processes, threads of the server among them. */
@Timeout(120)
class PidsLimitIT {
    private static final long PIDS = 100;

    @Test
    @DisplayName("B15: a program that forks without end fails itself, and the server answers on")
    void theServerOutlivesForkFailures() {
        try (ServerContainer server = ServerContainer.sandboxing()
                        .host(config -> config.withPidsLimit(PIDS))
                        .withEnv("EXEC_SERVER_JAVA_OPTS", "-Xmx64m")
                        .started();
                Session session = Session.with(server)) {
            session.provesPlainWork();
            RemoteProcess greedy = session.client()
                    .start(Policies.inWorkspace("exec 2>&1; for i in $(seq 200); do sleep 600 & done; echo survived"));
            greedy.exited(Session.LIMIT);
            greedy.awaitText("fork");

            // The server's own threads come and go, so a few more programs may fit.
            Answer refused = await().atMost(Session.LIMIT)
                    .until(
                            () -> session.client()
                                    .sendStart(Policies.inWorkspace("sleep 20"))
                                    .started(),
                            Answer::failed);
            assertThat(refused.errorMessage()).contains("Resource temporarily unavailable (os error 11)");
            session.client().roundTrip();
            assertThat(session.write("/workspace/during", "x").failed()).isFalse();

            greedy.terminate();
            await().atMost(Session.LIMIT).ignoreExceptions().untilAsserted(session::provesPlainWork);
            session.provesBubblewrap();
        }
    }
}
