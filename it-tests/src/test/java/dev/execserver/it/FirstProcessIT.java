package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is process 1 of its PID namespace, as in a container without an init: orphans become its children. */
@Timeout(90)
class FirstProcessIT {
    private static final List<String> PREFIX =
            List.of("unshare", "--user", "--map-current-user", "--pid", "--fork", "--mount-proc", "--kill-child");

    private final String mark = UUID.randomUUID().toString();
    private ServerProcess namespace;
    private WireClient client;
    private long server;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        assumeThat(namespacesCanBeMade()).as("user namespaces can be made here").isTrue();
        namespace = ServerProcess.listening(PREFIX, Map.of());
        server = ProcFs.children(namespace.pid()).getFirst().pid();
        client = WireClient.connect(namespace.port());
        client.handshake();
    }

    private static boolean namespacesCanBeMade() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(PREFIX);
        command.add("true");
        Process attempt = new ProcessBuilder(command).start();
        return attempt.waitFor(30, TimeUnit.SECONDS) && attempt.exitValue() == 0;
    }

    @AfterEach
    void stop() {
        if (namespace != null) {
            client.close();
            ProcessHandle.of(server).ifPresent(ProcessHandle::destroy);
            namespace.exitStatus();
        }
    }

    private List<ProcFs.Stat> zombies() {
        return ProcFs.children(server).stream()
                .filter(stat -> stat.state() == 'Z')
                .toList();
    }

    @Test
    void orphansAreReapedAlsoThoseOfCommandsThatHaveEnded() {
        for (int i = 0; i < 20; i++) {
            RemoteProcess process =
                    client.start(Start.shell("(setsid sh -c 'exec >/dev/null 2>&1; sleep 0.3; exit 5' &); exit 3")
                            .mark(mark));
            assertThat(process.exited().exitCode()).isEqualTo(3);
        }
        await("all have ended, and somebody has reaped them")
                .atMost(Duration.ofSeconds(20))
                .until(() -> ProcFs.marked(mark).isEmpty() && zombies().isEmpty());
    }

    @Test
    void exitsThatSomebodyWaitsForAreNotStolen() {
        List<RemoteProcess> processes = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            processes.add(client.sendStart(Start.shell("(setsid true &); exit " + i)));
        }
        for (int i = 0; i < 200; i++) {
            assertThat(processes.get(i).exited(Duration.ofSeconds(60)).exitCode())
                    .isEqualTo(i);
        }
        await("nothing is left")
                .atMost(Duration.ofSeconds(20))
                .until(() -> zombies().isEmpty());
        assertThat(namespace.stderr()).doesNotContain("collected by somebody else");
    }
}
