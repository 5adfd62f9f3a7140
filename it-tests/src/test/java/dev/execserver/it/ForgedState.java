package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What commands and other users prepare in folders that they may write is nothing that a server believes. */
@Timeout(120)
abstract class ForgedState {
    private final SandboxScene scene = new SandboxScene();
    private final List<AutoCloseable> open = new ArrayList<>();
    private DistributionCopy copy;
    private Path victim;

    /** Before each server. */
    abstract List<String> prefix();

    abstract int user();

    @BeforeEach
    void prepare() throws IOException {
        copy = DistributionCopy.create("forged-state-");
        victim = give(Files.createDirectory(scene.base().resolve("victim")));
        give(Files.writeString(victim.resolve(".bashrc"), "mine"));
        give(scene.workspace());
        Files.setPosixFilePermissions(scene.base(), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
        copy.close();
        scene.close();
    }

    private Path give(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", user(), LinkOption.NOFOLLOW_LINKS);
        return path;
    }

    private Path folder(String name) throws IOException {
        return give(Files.createDirectory(scene.base().resolve(name)));
    }

    private WireClient server(String... options) {
        ServerProcess server = copy.start(() -> ServerProcess.listening(prefix(), Map.of(), options));
        open.add(server);
        WireClient client = WireClient.connect(server.port());
        client.handshake();
        open.add(client);
        return client;
    }

    private static String run(WireClient client, SandboxScene scene, String script, ObjectNode... entries) {
        RemoteProcess process = client.start(scene.shell(script, entries));
        process.closed();
        return process.text();
    }

    private void nothingHasHappened() throws IOException {
        assertThat(victim.resolve(".bashrc")).isRegularFile().hasContent("mine");
        try (Stream<Path> names = Files.list(victim)) {
            assertThat(names).containsExactly(victim.resolve(".bashrc"));
        }
    }

    /** Where a server once looked, and where it looks now. */
    private String forgery(String folder) {
        return """
                d=%s
                mkdir -p $d && : >$d/placeholders && echo '%s /tmp/evil' >$d/links-1
                echo 'I 0 %s' >$d/placeholders; echo /tmp >$d/cgroups
                """.formatted(folder, victim.resolve(".bashrc"), victim.resolve(".bashrc"));
    }

    @Test
    void c50_journalsThatACommandWroteAreNothingToTheNextServer() throws Exception {
        WireClient one = server();
        Path forged = Path.of("/tmp/exec-server-" + ProcessHandle.current().pid() + "-" + user());
        try {
            String said = run(
                    one,
                    scene,
                    forgery(forged.toString())
                            + forgery("/run/exec-server/exec-server-4242")
                            + forgery("/tmp/exec-server-" + user() + "/exec-server-4242")
                            + "ls -d /tmp/exec-server-*",
                    SandboxScene.special("slash_tmp", "write"));
            assertThat(said).contains(forged.toString());
            server();
            sandboxOnTheCommandLine();
            nothingHasHappened();
            assertThat(forged.resolve("links-1")).as("ignored").exists();
        } finally {
            delete(forged);
        }
    }

    private void sandboxOnTheCommandLine() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix());
        command.addAll(copy.start(() -> ServerCommand.of(List.of("sandbox", "--", "true"))));
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void c52_theFolderOfAnotherServerIsHidden() throws IOException {
        WireClient one = server();
        Path state = folder("state");
        WireClient two = server("--state-dir", state.toString());
        Path secret = give(Files.writeString(scene.workspace().resolve("secret.env"), "SECRET"));
        ObjectNode denied = SandboxScene.entry(secret, "none");
        assertThat(run(two, scene, "cat secret.env", denied)).doesNotContain("SECRET");
        String own = state.toFile().list()[0];

        String said = run(
                one,
                scene,
                "cd %1$s && mv %2$s/denied x; ln -s %3$s %1$s/%2$s/denied; ls %1$s; ls /run/exec-server /tmp/exec-server-%4$d; exit 0"
                        .formatted(state, own, secret, user()),
                SandboxScene.special("slash_tmp", "write"),
                SandboxScene.entry(scene.base(), "write"));
        assertThat(said).contains("Permission denied").doesNotContain(own + "\n");

        assertThat(run(two, scene, "cat secret.env", denied)).doesNotContain("SECRET");
        Answer read = two.call("fs/readFile", "path", secret.toString(), "sandbox", Json.value(scene.sandbox(denied)));
        assertThat(read.failed()).isTrue();
        nothingHasHappened();
    }

    @Test
    void c52_aFolderThatARunningCommandCanWriteIsNotUsed() throws IOException {
        WireClient one = server();
        Path state = folder("state");
        RemoteProcess command =
                one.start(scene.shell("echo ready; sleep 60", SandboxScene.entry(scene.base(), "write")));
        command.awaitText("ready");
        ServerProcess refused = copy.start(() -> ServerProcess.launched(prefix(), "--state-dir", state.toString()));
        open.add(refused);
        assertThat(refused.exitStatus()).isEqualTo(1);
        assertThat(refused.stderr())
                .contains(" can write to " + state)
                .contains("end it, or name another folder with --state-dir");
        // Its end takes the command and the idle file helper with the same view along.
        assertThat(((ServerProcess) open.getFirst()).stop()).isZero();
        server("--state-dir", state.toString());
    }

    @Test
    void aFolderThatOthersCouldReplaceIsRefused() throws IOException {
        Path loose = folder("loose");
        Files.setPosixFilePermissions(loose, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path state = give(Files.createDirectory(loose.resolve("state")));
        for (Path path : List.of(state, loose)) {
            ServerProcess refused = copy.start(() -> ServerProcess.launched(prefix(), "--state-dir", path.toString()));
            open.add(refused);
            assertThat(refused.exitStatus()).isEqualTo(1);
            assertThat(refused.stderr())
                    .contains("--state-dir " + path)
                    .contains("writable by others")
                    .contains("name a folder of the server's user");
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
