package dev.execserver.it.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.RemoteProcess;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A workspace without room, and a folder for spilled output without room. */
@Timeout(120)
class FullDiskIT {
    private static final int MIB = 1 << 20;
    /** More than the server keeps in memory and the kernels in the two buffers of the connection. */
    private static final int OUTPUT = 96 * MIB;

    @Test
    void writesFailWithTheKernelsWordsAndOutputThatCannotBeSpilledIsNotLost() {
        try (ServerContainer server = ServerContainer.sandboxing()
                        .host(config -> config.withReadonlyRootfs(true))
                        .tmpfs("/tmp", "rw,mode=1777,size=1m")
                        .tmpfs("/workspace", "rw,uid=1000,size=1m")
                        .started();
                Session session = Session.with(server)) {
            assertThat(session.run("head -c 2000000 /dev/zero > big").text()).contains("No space left on device");
            Answer written = session.write("/workspace/other", "x".repeat(2 * MIB));
            assertThat(written.failed()).isTrue();
            assertThat(written.errorMessage()).contains("No space left on device (os error 28)");
            assertThat(session.run("rm big").status()).isZero();
            session.provesPlainWork();

            RemoteProcess producer = session.client()
                    .start(Policies.inWorkspace("read -r go; exec head -c " + OUTPUT + " /dev/zero")
                            .stdin());
            session.client().stopReading();
            producer.sendWrite("go\n".getBytes(UTF_8));
            await().during(Duration.ofSeconds(1))
                    .atMost(Session.LIMIT)
                    .until(() -> server.shell("ps -C head -o wchan=").contains("pipe"));
            session.client().resumeReading();
            assertThat(producer.exited(Session.LIMIT).exitCode()).isZero();
            producer.closed(Session.LIMIT);
            assertThat(producer.events().bytes()).isEqualTo(OUTPUT);
            assertThat(producer.events().misplaced()).isZero();
            session.provesPlainWork();
        }
    }
}
