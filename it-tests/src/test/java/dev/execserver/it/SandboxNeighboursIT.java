package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several servers whose commands work in one workspace. */
@Timeout(120)
@DisplayName("B35: servers that share a workspace")
class SandboxNeighboursIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int COMMANDS = 60;
    private static final String MAKES_WHAT_IT_MAY_NOT =
            "{ mkdir .git && echo made; mkdir -p sub/.codex && echo made; echo x >not-yet && echo made; } 2>/dev/null; ";

    @TempDir(factory = VarTmp.class)
    private Path stateOfOne;

    @TempDir(factory = VarTmp.class)
    private Path stateOfTwo;

    private final SandboxScene scene = new SandboxScene();
    private ServerProcess one;
    private ServerProcess two;
    private WireClient toOne;
    private WireClient toTwo;

    @BeforeEach
    void start() {
        one = ServerProcess.listening("--state-dir", stateOfOne.toString());
        two = ServerProcess.listening("--state-dir", stateOfTwo.toString());
        toOne = connect(one);
        toTwo = connect(two);
    }

    private static WireClient connect(ServerProcess server) {
        WireClient client = WireClient.connect(server.port());
        client.handshake();
        return client;
    }

    @AfterEach
    void stop() {
        toOne.close();
        toTwo.close();
        one.close();
        two.close();
        scene.close();
    }

    @Test
    void nothingIsLeftWhenCommandsOfBothStartAndEndAsTheyLike() {
        Random random = new Random(5);
        List<RemoteProcess> running = new ArrayList<>();
        for (int i = 0; i < COMMANDS; i++) {
            WireClient client = random.nextBoolean() ? toOne : toTwo;
            String script = MAKES_WHAT_IT_MAY_NOT + (random.nextBoolean() ? "" : "sleep 0.02");
            running.add(client.start(confined(script)));
            while (running.size() > random.nextInt(4)) {
                RemoteProcess ended = running.remove(random.nextInt(running.size()));
                if (random.nextInt(4) == 0) {
                    ended.terminate();
                }
                ended.closed();
                assertThat(ended.text()).doesNotContain("made");
            }
        }
        running.forEach(RemoteProcess::closed);

        // Who finds a lock that another server holds only to look does not wait for it, and tries again.
        await().atMost(PATIENCE).until(() -> scene.names().isEmpty());
    }

    @Test
    void whatOneHasMadeTheOtherRemovesAfterTheEndOfTheFirst() {
        toOne.start(confined("echo ready; sleep 60")).awaitText("ready");
        RemoteProcess guest = guest();

        one.stop();
        assertThat(scene.names()).contains(".git");
        assertThat(end(guest)).doesNotContain("made");
        assertThat(scene.names()).isEmpty();

        assertThat(stateOfOne).isEmptyDirectory();
    }

    @Test
    void whatOneHasMadeStaysProtectedForTheOtherWhenItIsKilled() {
        toOne.start(confined("echo ready; sleep 60")).awaitText("ready");
        RemoteProcess guest = guest();

        one.killHard();
        // The guardian of the first takes away what only the first had made, and leaves what the second uses.
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(scene.names()).contains(".git").doesNotContain("sub", "not-yet"));
        await().atMost(PATIENCE).until(() -> stateOfOne.toFile().list().length == 0);
        assertThat(end(guest)).doesNotContain("made");
        assertThat(scene.names()).isEmpty();
    }

    @Test
    void nothingIsLeftWhenBothAreKilled() {
        toOne.start(confined("echo ready; sleep 60")).awaitText("ready");
        guest();

        one.killHard();
        two.killHard();
        await().atMost(PATIENCE).until(() -> scene.names().isEmpty());
    }

    @Test
    void whatTheCommandLineHasMadeAServerRemoves() throws IOException, InterruptedException {
        Process commandLine = new ProcessBuilder(ServerCommand.of(List.of(
                        "sandbox",
                        "--profile",
                        scene.sandbox().get("permissions").toString(),
                        "--cwd",
                        scene.workspace().toString(),
                        "--",
                        "cat")))
                .start();
        await().atMost(PATIENCE).until(() -> scene.names().contains(".git"));
        RemoteProcess guest = guest();

        commandLine.getOutputStream().close();
        assertThat(commandLine.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(end(guest)).doesNotContain("made");
        assertThat(scene.names()).isEmpty();
    }

    /** What does not exist and must not be made: a protected name, a directory and a file of entries. */
    private Start confined(String script) {
        return scene.shell(
                script,
                SandboxScene.entry(scene.workspace().resolve("sub/.codex"), "read"),
                SandboxScene.entry(scene.workspace().resolve("not-yet"), "deny"));
    }

    /** A command of the second server that waits, and then tries to make what it may not. */
    private RemoteProcess guest() {
        RemoteProcess guest = toTwo.start(
                scene.shell("echo ready; read -r line; mkdir .git 2>&1").stdin());
        guest.awaitText("ready");
        return guest;
    }

    private static String end(RemoteProcess guest) {
        guest.closeStdin();
        guest.closed();
        return guest.text();
    }
}
