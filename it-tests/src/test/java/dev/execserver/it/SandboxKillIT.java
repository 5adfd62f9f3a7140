package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * SIGKILL for each part of a sandboxed command at each stage of its life. Afterwards nothing is left on the host: no
 * placeholder, journal entry, control group, process, mount or directory of the server.
 */
@Timeout(60)
@DisplayName("B35: kill -9 at each stage")
class SandboxKillIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(2);
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    /** So many masks that bubblewrap needs some tenths of a second for them. */
    private static final int MASKED = 300;

    @TempDir(factory = VarTmp.class)
    private Path state;

    private final SandboxScene scene = new SandboxScene();
    private ServerProcess server;
    private WireClient client;
    private String runtime;
    private List<Path> groupsBefore;

    enum Stage {
        BEFORE_EXEC,
        SET_UP,
        RUNNING,
        AT_EXIT
    }

    enum Victim {
        SERVER,
        /** bubblewrap itself. */
        OUTER,
        /** The first process inside. */
        INNER,
        COMMAND
    }

    @BeforeEach
    void start() throws IOException {
        server = ServerProcess.listening(
                "--state-dir", state.toString(), "--bwrap", gatedBubblewrap().toString());
        client = WireClient.connect(server.port());
        client.handshake();
        client.call("sandbox/status").result(); // the examination of the machine is over
        runtime = entries(state).getFirst().getFileName().toString();
        client.start(confined("true")).closed();
        groupsBefore = groups();
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
        scene.close();
    }

    /** A bubblewrap that does not start while there is a gate. */
    private Path gatedBubblewrap() throws IOException {
        Path program = scene.base().resolve("bwrap");
        Files.writeString(program, """
                #!/bin/sh
                case "$1" in --args) [ ! -p '%1$s/gate' ] || read -r line <'%1$s/gate' ;; esac
                exec bwrap "$@"
                """.formatted(scene.base()));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    private Start confined(String script, ObjectNode... more) {
        return scene.shell(script, more).with("limits", Json.object("pids", 50));
    }

    @ParameterizedTest
    @CsvSource({
        "BEFORE_EXEC, SERVER",
        "BEFORE_EXEC, OUTER",
        "SET_UP, SERVER",
        "SET_UP, OUTER",
        "SET_UP, INNER",
        "RUNNING, SERVER",
        "RUNNING, OUTER",
        "RUNNING, INNER",
        "RUNNING, COMMAND",
        "AT_EXIT, SERVER",
        "AT_EXIT, OUTER",
        "AT_EXIT, INNER"
    })
    void nothingIsLeft(Stage stage, Victim victim) throws IOException, InterruptedException {
        RemoteProcess process = reach(stage);
        List<Long> all = ProcFs.descendants(server.pid());
        kill(victim);
        if (victim == Victim.SERVER) {
            assertNothingLeft(List.of(), all);
        } else {
            if (!process.started().failed()) {
                process.terminate();
                process.closed();
            }
            assertNothingLeft(List.of(), List.of());
        }
    }

    private RemoteProcess reach(Stage stage) throws IOException, InterruptedException {
        switch (stage) {
            case BEFORE_EXEC -> {
                Path gate = scene.base().resolve("gate");
                assertThat(new ProcessBuilder("mkfifo", gate.toString()).start().waitFor())
                        .isZero();
                RemoteProcess process = client.sendStart(confined("sleep 60"));
                await().atMost(PATIENCE)
                        .pollInterval(POLL)
                        .until(() ->
                                outerOfCommand().isPresent() && scene.names().contains(".git"));
                return process;
            }
            case SET_UP -> {
                for (int i = 0; i < MASKED; i++) {
                    Files.createFile(scene.base().resolve("secret-" + i));
                }
                RemoteProcess process = client.sendStart(confined(
                        "sleep 60",
                        Policies.denied(scene.base().resolve("secret-*").toString())));
                await().atMost(PATIENCE)
                        .pollInterval(POLL)
                        .until(() ->
                                outerOfCommand().flatMap(SandboxKillIT::child).isPresent());
                return process;
            }
            case RUNNING, AT_EXIT -> {
                RemoteProcess process = client.start(
                        confined("setsid sleep 60 & echo ready; read -r line").stdin());
                process.awaitText("ready");
                if (stage == Stage.AT_EXIT) {
                    process.send("process/closeStdin");
                }
                return process;
            }
        }
        throw new AssertionError(stage);
    }

    /**
     * Whoever has ended by itself meanwhile, which is possible at the exit, need not be killed. A file helper that was started
     * ahead of time has a bubblewrap too: it is killed with that of the command.
     */
    private void kill(Victim victim) {
        List<Long> outers = outers();
        Stream<Long> inners = outers.stream().flatMap(pid -> child(pid).stream());
        switch (victim) {
            case SERVER -> server.killHard();
            case OUTER -> outers.forEach(SandboxKillIT::kill);
            case INNER -> inners.forEach(SandboxKillIT::kill);
            case COMMAND -> inners.flatMap(pid -> child(pid).stream()).forEach(SandboxKillIT::kill);
        }
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    private List<Long> outers() {
        return ProcFs.children(server.pid()).stream()
                .map(ProcFs.Stat::pid)
                .filter(pid -> ProcFs.commandLine(pid).contains("--args"))
                .toList();
    }

    private Optional<Long> outer() {
        return outers().stream().findFirst();
    }

    /** A file helper may be started at the same time: the arguments of bubblewrap end with those of the command. */
    private Optional<Long> outerOfCommand() {
        return outers().stream()
                .filter(pid -> ProcFs.commandLine(pid).contains("sleep 60"))
                .findFirst();
    }

    private Optional<Long> inner() {
        return outer().flatMap(SandboxKillIT::child);
    }

    private static Optional<Long> child(long pid) {
        return ProcFs.children(pid).stream().map(ProcFs.Stat::pid).findFirst();
    }

    @ParameterizedTest
    @EnumSource(
            value = Victim.class,
            names = {"SERVER", "OUTER"})
    void nothingIsLeftOfAFileHelper(Victim victim) {
        write("a").result();
        assertThat(inner()).isPresent();
        List<Long> all = ProcFs.descendants(server.pid());
        kill(victim);

        if (victim == Victim.SERVER) {
            assertNothingLeft(List.of("a"), all);
        } else {
            // A call that meets the dying helper says so; the server has another one as soon as it knows.
            await().atMost(PATIENCE).until(() -> write("b"), answer -> {
                if (answer.failed()) {
                    assertThat(answer.errorMessage()).isEqualTo("fs sandbox helper failed: it has ended");
                }
                return !answer.failed();
            });
            assertNothingLeft(List.of("a", "b"), List.of());
        }
    }

    /** Writes a file in the workspace, which a helper has to do. */
    private Answer write(String name) {
        return client.call(
                "fs/writeFile",
                "path",
                "file://" + scene.workspace().resolve(name),
                "dataBase64",
                "",
                "sandbox",
                scene.sandbox());
    }

    /** @param processes of a server that was killed; otherwise none, and those of the living one are counted */
    private void assertNothingLeft(List<String> names, List<Long> processes) {
        if (server.alive()) {
            client.call("session/end").result(); // its file helpers would stay warm for a minute
        }
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(scene.names()).isEqualTo(names);
            assertThat(processes).noneMatch(ProcFs::alive);
            assertThat(Files.readString(Path.of("/proc/self/mountinfo")))
                    .doesNotContain(scene.base().toString());
            if (server.alive()) {
                assertThat(outer()).isEmpty();
                assertThat(groups()).isEqualTo(groupsBefore);
                assertThat(entries(state)).containsExactly(state.resolve(runtime));
            } else {
                assertThat(groups()).isEmpty();
                assertThat(entries(state)).isEmpty();
            }
        });
    }

    private List<Path> groups() {
        try (Stream<Path> all = Files.find(GROUPS, 8, (path, attributes) -> attributes.isDirectory())) {
            return all.filter(path -> path.toString().contains("/" + runtime))
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of(GROUPS); // a group has gone while we looked: look again
        }
    }

    private static List<Path> entries(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
