package dev.execserver.it.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands of a killed server, which go on until its guardian has found them. */
class OrphanViewIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String MARK = "orphan-" + UUID.randomUUID();
    private DistributionCopy copy;
    private Path workspace;
    private Node doomed;
    private Node other;

    @BeforeEach
    void start() throws IOException {
        copy = DistributionCopy.create("orphan-");
        Files.setPosixFilePermissions(copy.folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
        workspace = Files.createDirectory(copy.folder().resolve("ws"));
        doomed = new Node(copy, List.of(), Files.createDirectory(copy.folder().resolve("state-1")));
        other = new Node(copy, List.of(), Files.createDirectory(copy.folder().resolve("state-2")));
    }

    @AfterEach
    void stop() {
        doomed.server().close();
        other.server().close();
        ProcFs.marked(MARK).forEach(pid -> signal(pid, "KILL"));
        copy.close();
    }

    @Test
    void protectedNamesStayProtectedWhenAnotherServerHasUsedThemLast() throws IOException {
        long guardian = doomed.guardian().orElseThrow();
        try (WireClient client = doomed.connect();
                WireClient second = other.connect()) {
            client.start(inside("until mkdir .agents; do :; done 2>/dev/null; echo x >.agents/made; exec sleep 300"));
            await().atMost(LIMIT).until(() -> Files.exists(workspace.resolve(".agents")));
            RemoteProcess sharing = second.start(inside("echo ready; read line"));
            sharing.awaitText("ready");
            signal(guardian, "STOP");
            doomed.server().killHard();

            sharing.send("process/terminate").result();
            sharing.closed(LIMIT);
            second.call("session/end").result();

            assertThat(Files.isDirectory(workspace.resolve(".agents"))).isTrue();
            assertThat((int) Files.getAttribute(workspace.resolve(".agents"), "unix:mode") & 01000)
                    .as("the mark of a placeholder")
                    .isEqualTo(01000);
            signal(guardian, "CONT");
            await("the guardian").atMost(LIMIT).until(() -> ProcFs.marked(MARK).isEmpty());
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(Node.names(workspace)).isEmpty());
        }
    }

    private Start inside(String script) {
        ObjectNode policy =
                Policies.of(workspace, Policies.entry("root", "read"), Policies.entry("project_roots", "write"));
        return Start.shell(script)
                .with("cwd", workspace.toUri().toString())
                .with("sandbox", policy)
                .mark(MARK);
    }

    private static void signal(long pid, String name) {
        try {
            new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
