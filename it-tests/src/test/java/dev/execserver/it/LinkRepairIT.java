package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protected names that are symbolic links, where the kernel mounts nothing on a link: who changes the link has it changed back.
 * A filter around the server makes open_tree(2) fail, as in a container. With {@link SandboxLinksIT} that is not needed.
 */
@Timeout(90)
class LinkRepairIT {
    /** seccomp(2) from perl: EPERM for system call 428 of both machines, everything else as ever. */
    private static final List<String> WITHOUT_OPEN_TREE = List.of(
            "/usr/bin/perl",
            "-e",
            "my $f = pack('SCCL' x 4, 0x20, 0, 0, 0, 0x15, 0, 1, 428, 6, 0, 0, 0x50001, 6, 0, 0, 0x7fff0000);"
                    + " my $p = pack('S x6 P', 4, $f); my $prctl = `uname -m` =~ /x86/ ? 157 : 167;"
                    + " syscall($prctl, 38, 1, 0, 0, 0) == 0 or die; syscall($prctl, 22, 2, $p) == 0 or die; exec @ARGV",
            "--");

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Path TARGET = Path.of("real/.agents");

    @TempDir
    private Path spill;

    private final SandboxScene scene = new SandboxScene();
    private Path link;
    private ServerProcess server;
    private WireClient client;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(scene.workspace().resolve(TARGET));
        Files.writeString(scene.workspace().resolve(TARGET).resolve("rule"), "kept");
        link = Files.createSymbolicLink(scene.workspace().resolve(".agents"), TARGET);
        serve("--guardian", "on");
    }

    private void serve(String... options) {
        String[] all = new String[options.length + 2];
        all[0] = "--spill-dir";
        all[1] = spill.toString();
        System.arraycopy(options, 0, all, 2, options.length);
        server = ServerProcess.listening(WITHOUT_OPEN_TREE, Map.of(), all);
        client = WireClient.connect(server.port());
        client.handshake();
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
        scene.close();
    }

    private void unchanged() throws IOException {
        assertThat(Files.readSymbolicLink(link)).isEqualTo(TARGET);
        assertThat(link.resolve("rule")).hasContent("kept");
    }

    @Test
    void aCommandOfAnotherServerDoesNotTakeAReplacedLinkForTheRightOne() throws IOException {
        RemoteProcess first =
                client.start(scene.shell("mkdir evil; rm .agents; ln -s evil .agents; echo replaced; read go")
                        .stdin());
        first.awaitText("replaced");
        try (ServerProcess other = ServerProcess.listening(WITHOUT_OPEN_TREE, Map.of());
                WireClient second = WireClient.connect(other.port())) {
            second.handshake();
            Answer refused =
                    second.send("process/start", scene.shell("true").params()).answer();
            assertThat(refused.errorMessage()).contains("is being restored by another server");
            first.write("go\n");
            first.closed();
            unchanged();

            RemoteProcess later = second.start(scene.shell("cat .agents/rule"));
            later.closed();
            assertThat(later.text()).isEqualTo("kept");
        }
        unchanged();
    }

    private JsonNode violation(RemoteProcess process) {
        JsonNode told = process.exited().params().get("violations");
        process.closed();
        assertThat(process.read().get("violations")).isEqualTo(told);
        assertThat(told).hasSize(1);
        assertThat(told.get(0).get("kind").asText()).isEqualTo("protectedLink");
        assertThat(told.get(0).get("path").asText()).isEqualTo(link.toString());
        return told.get(0);
    }

    @Test
    void theServerSaysThatLinksCanOnlyBePutRight() {
        JsonNode status = client.call("sandbox/status").result();
        assertThat(status.get("findings"))
                .filteredOn(finding -> finding.get("layer").asText().equals("link mounts"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.get("status").asText()).isEqualTo("warning");
                    assertThat(finding.get("remedy").asText()).contains("open_tree(2)");
                });
    }

    @Test
    @DisplayName("B33: what a link at a protected name points to cannot be written through either name")
    void theTargetIsProtected() throws IOException {
        RemoteProcess process = client.start(scene.shell("echo x > .agents/rule; echo x > real/.agents/rule; exit 0"));
        process.closed();

        assertThat(process.text().lines().filter(line -> line.contains("Read-only file system")))
                .hasSize(2);
        assertThat(process.exited().params().has("violations")).isFalse();
        unchanged();
    }

    @Test
    @DisplayName("B33: a link that was swapped is put back, and the exit says so")
    void aSwappedLinkIsPutBack() throws IOException {
        JsonNode told = violation(client.start(scene.shell("mkdir evil; ln -sfn evil .agents")));

        assertThat(told.get("found").asText()).isEqualTo("a link to evil");
        assertThat(told.get("repaired").asBoolean()).isTrue();
        unchanged();
        server.awaitStderr("has replaced the protected link " + link);
    }

    @Test
    @DisplayName("B33: a link that was removed is made again")
    void aRemovedLinkIsMadeAgain() throws IOException {
        JsonNode told = violation(client.start(scene.shell("rm .agents")));

        assertThat(told.get("found").asText()).isEqualTo("nothing");
        unchanged();
    }

    @Test
    @DisplayName("B33: what a command put in the place of a link is moved aside, not deleted")
    void aDirectoryInItsPlaceIsMovedAside() throws IOException {
        JsonNode told = violation(client.start(scene.shell("rm .agents; mkdir .agents; echo work > .agents/f")));

        assertThat(told.get("found").asText()).isEqualTo("a directory");
        assertThat(Path.of(told.get("movedTo").asText()).resolve("f")).hasContent("work\n");
        unchanged();
    }

    @Test
    @DisplayName("B33: also after a terminate and at the end of the session")
    void whoeverEndsTheCommand() throws IOException {
        RemoteProcess process = client.start(scene.shell("ln -sfn evil .agents; echo ready; sleep 60"));
        process.awaitText("ready");
        assertThat(process.terminate()).isTrue();
        assertThat(violation(process).get("repaired").asBoolean()).isTrue();
        unchanged();

        client.start(scene.shell("ln -sfn evil .agents; echo ready; sleep 60")).awaitText("ready");
        client.call("session/end").result();
        await().atMost(PATIENCE).untilAsserted(this::unchanged);
    }

    @Test
    @DisplayName("B33: the guardian puts the link back when the server was killed")
    void theGuardianPutsItBack() {
        client.start(scene.shell("rm .agents; mkdir .agents; echo ready; sleep 60"))
                .awaitText("ready");
        server.killHard();

        // Until then something else, or nothing, has the name of the link.
        await().atMost(PATIENCE).ignoreExceptionsInstanceOf(IOException.class).untilAsserted(this::unchanged);
        assertThat(scene.names()).anyMatch(name -> name.startsWith(".agents.blocked-by-sandbox-"));
    }

    @Test
    @DisplayName(
            "B33, C50: what neither server nor guardian could put back, the next server knows nothing of and leaves")
    void theNextServerTouchesNothing() throws IOException {
        client.close();
        server.close();
        serve("--guardian", "off");
        client.start(scene.shell("ln -sfn evil .agents; echo ready; sleep 60")).awaitText("ready");
        server.killHard();

        serve();
        assertThat(Files.readSymbolicLink(link)).isEqualTo(Path.of("evil"));
    }

    @Test
    @DisplayName("B33: a file call that removes the link is undone and fails")
    void aFileCallCannotChangeIt() throws IOException {
        Answer answer = client.send(
                        "fs/remove",
                        Json.object(
                                "path",
                                link.toString(),
                                "recursive",
                                false,
                                "force",
                                false,
                                "sandbox",
                                scene.sandbox()))
                .answer(PATIENCE);

        assertThat(answer.errorMessage()).isEqualTo("the sandbox protects the link " + link + "; it was put right");
        unchanged();
        assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
    }
}
