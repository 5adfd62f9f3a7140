package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.OwnMounts;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.Start;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sandboxes that are built while something is mounted and unmounted all the time: no client ever sees that, see {@code
 * BwrapRun.SetupResult.Disturbed}. Without a further attempt every few starts one fails here.
 */
@Timeout(180)
abstract class SandboxDisturbedCases {
    private static final int STARTS = 60;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static OwnMounts stand;

    static void start(List<String> user) {
        stand = OwnMounts.start("mkdir a b c", user, "--helper", "oneshot");
    }

    @AfterAll
    static void stop() {
        stand.close();
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void whileMountsComeAndGo(Path workspace, Work work) throws Exception {
        Process loop = stand.shell("cd " + stand.folder("a").getParent()
                + "; for d in a b c; do while :; do mount -t tmpfs none $d; umount $d; done & done; wait");
        try {
            work.run();
            assertThat(loop.isAlive()).as("mounts still come and go").isTrue();
        } finally {
            loop.descendants().forEach(ProcessHandle::destroyForcibly);
            loop.destroyForcibly();
            assertThat(loop.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(workspace).isDirectory();
    }

    @Test
    void c62_commandsStartWhileMountsComeAndGo() throws Exception {
        Path workspace = stand.folder("ws");
        whileMountsComeAndGo(workspace, () -> {
            for (int i = 0; i < STARTS; i++) {
                RemoteProcess process = stand.client()
                        .start(Start.shell("echo fine")
                                .with("cwd", workspace.toUri().toString())
                                .with("sandbox", Policies.workspaceWrite(workspace)));
                process.closed(LIMIT);
                assertThat(process.text()).as("start " + i).isEqualTo("fine\n");
            }
        });
    }

    @Test
    void c62_fileCallsAreDoneWhileMountsComeAndGo() throws Exception {
        Path workspace = stand.folder("ws");
        whileMountsComeAndGo(workspace, () -> {
            for (int i = 0; i < STARTS / 3; i++) {
                ObjectNode params = Json.object(
                        "path",
                        workspace.resolve("f" + i).toString(),
                        "dataBase64",
                        Base64.getEncoder().encodeToString("fine".getBytes(StandardCharsets.UTF_8)));
                params.set("sandbox", Policies.workspaceWrite(workspace));
                Answer answer = stand.client().send("fs/writeFile", params).answer(LIMIT);
                assertThat(answer.failed()).as(() -> answer.errorMessage()).isFalse();
                assertThat(workspace.resolve("f" + i)).hasContent("fine");
            }
        });
    }
}
