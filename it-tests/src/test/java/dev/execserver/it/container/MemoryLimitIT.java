package dev.execserver.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A container with little memory, and a program that wants more. */
@Timeout(120)
class MemoryLimitIT {
    private static final long MEMORY = 300L << 20;
    private static final int KILLED = 137;

    @Test
    void theProgramDiesAndTheServerAnswersOn() {
        try (ServerContainer server = ServerContainer.sandboxing()
                        .host(config -> config.withMemory(MEMORY).withMemorySwap(MEMORY))
                        .withEnv("EXEC_SERVER_JAVA_OPTS", "-Xmx64m")
                        .started();
                Session session = Session.with(server)) {
            Session.Ran eater = session.run("exec perl -e '$x = \"a\" x 500_000_000; print \"fits\"'");
            assertThat(eater.status()).isEqualTo(KILLED);
            assertThat(eater.text()).doesNotContain("fits");
            assertThat(session.confined(Policies.workspaceWrite(), "perl -e '$x = \"a\" x 500_000_000; print \"fits\"'")
                            .status())
                    .isEqualTo(KILLED);
            session.provesPlainWork();
            session.provesBubblewrap();
            assertThat(server.isRunning()).isTrue();
        }
    }
}
