package dev.execserver.it.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.model.HealthCheck;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the image promises beside serving. */
@Timeout(120)
class ImageIT {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void ordinaryUserHealthOrphansCacheAndTheEnd() {
        try (ServerContainer server = ServerContainer.sandboxing()
                        // With AOTMode=on a JVM that cannot use its cache does not start.
                        .withEnv("EXEC_SERVER_JAVA_OPTS", "-XX:AOTMode=on")
                        .withCreateContainerCmdModifier(command -> command.withHealthcheck(new HealthCheck()
                                .withTest(List.of("CMD", "healthy"))
                                .withInterval(SECOND)))
                        .started();
                Session session = Session.with(server)) {
            assertThat(session.run("id -un; pwd; touch made && echo writable").text())
                    .isEqualTo("exec-server\n/workspace\nwritable\n");
            await().atMost(Session.LIMIT).until(server::isHealthy);

            session.run("setsid sh -c 'sleep 0.2' & exit 0");
            await().atMost(Session.LIMIT)
                    .untilAsserted(
                            () -> assertThat(server.shell("ps -eo stat=")).doesNotContain("Z"));

            server.getDockerClient()
                    .stopContainerCmd(server.getContainerId())
                    .withTimeout(20)
                    .exec();
            assertThat(server.getDockerClient()
                            .inspectContainerCmd(server.getContainerId())
                            .exec()
                            .getState()
                            .getExitCodeLong())
                    .isZero();
        }
    }

    @Test
    void theProfileGivesBubblewrapItsCallsAndNobodyThoseOfTheHost() {
        try (ServerContainer server = ServerContainer.sandboxing().user("0:0").started()) {
            assertThat(server.shell("unshare --user --map-root-user --mount mount -t tmpfs tmpfs /mnt && echo mounted"))
                    .isEqualTo("mounted\n");
            String calls =
                    "perl -MSocket -e 'for (@ARGV) { $! = 0; syscall($_, 0, 0, 0, 0, 0); print \"$_ \", $! + 0, \"\\n\" }'";
            // bpf, perf_event_open, keyctl, init_module, kexec_load, io_uring_setup, userfaultfd
            assertThat(server.shell("test \"$(uname -m)\" != x86_64 || " + calls + " 321 298 250 175 246 425 323"))
                    .satisfiesAnyOf(
                            text -> assertThat(text).isEmpty(),
                            text -> assertThat(text.lines()).hasSize(7).allMatch(line -> line.endsWith(" 1")));
            assertThat(
                            server.shell(
                                    "perl -MSocket -e 'socket(my $s, 40, 1, 0) or print $! + 0; socket(my $a, 38, 5, 0) or print $! + 0'"))
                    .isEqualTo("11");
        }
    }
}
