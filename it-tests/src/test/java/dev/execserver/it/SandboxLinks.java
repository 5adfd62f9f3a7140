package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Protected names that are symbolic links: a command can follow them and do nothing else with them. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SandboxLinks {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<String> prefix;
    private DistributionCopy copy;
    private Path workspace;
    private Path link;
    private ServerProcess server;
    private WireClient client;

    /** @param prefix runs the server as somebody else */
    SandboxLinks(List<String> prefix) {
        this.prefix = prefix;
    }

    @BeforeAll
    void install() {
        copy = DistributionCopy.create("links-");
    }

    @AfterAll
    void remove() {
        copy.close();
    }

    @BeforeEach
    void prepare() throws IOException {
        workspace = Files.createTempDirectory(copy.folder(), "ws");
        Files.writeString(directory("real/.agents").resolve("rule"), "kept");
        link = Files.createSymbolicLink(workspace.resolve(".agents"), Path.of("real/.agents"));
    }

    private Path directory(String name) throws IOException {
        return Files.createDirectories(workspace.resolve(name));
    }

    private void serve(String... options) throws IOException {
        give();
        List<String> all = new ArrayList<>(List.of("--spill-dir", copy.folder().toString()));
        all.addAll(Arrays.asList(options));
        server = copy.start(() -> ServerProcess.listening(prefix, Map.of(), all.toArray(String[]::new)));
        client = WireClient.connect(server.port());
        client.handshake();
    }

    /** The workspace belongs to the user of the server. */
    private void give() throws IOException {
        if (!prefix.isEmpty()) {
            Files.setAttribute(copy.folder(), "unix:uid", 65534);
            try (Stream<Path> files = Files.walk(workspace)) {
                for (Path file : files.toList()) {
                    Files.setAttribute(file, "unix:uid", 65534, LinkOption.NOFOLLOW_LINKS);
                }
            }
        }
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private RemoteProcess run(String script, ObjectNode... more) {
        ObjectNode sandbox = sandbox(more);
        return client.start(Start.shell(script)
                .with("cwd", workspace.toUri().toString())
                .env("LC_ALL", "C")
                .with("sandbox", sandbox));
    }

    private ObjectNode sandbox(ObjectNode... more) {
        List<ObjectNode> entries =
                new ArrayList<>(List.of(Policies.entry("root", "read"), Policies.entry("project_roots", "write")));
        entries.addAll(List.of(more));
        return Policies.of(workspace, entries.toArray(ObjectNode[]::new));
    }

    private static String ended(RemoteProcess process) {
        process.closed();
        assertThat(process.exited().params().has("violations"))
                .as("nothing had to be put right")
                .isFalse();
        return process.text();
    }

    private void unchanged() throws IOException {
        assertThat(Files.readSymbolicLink(link)).isEqualTo(Path.of("real/.agents"));
        assertThat(link.resolve("rule")).hasContent("kept");
    }

    @Test
    @DisplayName("B33: a link at a protected name can be followed, and neither removed, moved, replaced nor changed")
    void aLinkAtAProtectedNameIsHeld() throws IOException {
        serve();
        String said = ended(run("cat .agents/rule; rm .agents; mv .agents x; ln -sfn evil .agents; mv -T real .agents;"
                + " touch -h .agents; echo x > .agents/rule; echo x > real/.agents/rule; mv real other"));
        assertThat(said).contains("kept");
        assertThat(said.lines().filter(line -> line.contains("Device or resource busy")))
                .as(said)
                .hasSizeGreaterThanOrEqualTo(4);
        assertThat(said.lines().filter(line -> line.contains("Read-only file system")))
                .as(said)
                .hasSize(3);
        unchanged();
    }

    @Test
    void nothingOfTheStageStaysInside() throws IOException {
        serve();
        String said = ended(run("grep -E '^(CapEff|CapPrm|CapBnd)' /proc/self/status; ls /proc/self/fd | wc -l;"
                + " umount .agents 2>&1; unshare -Urm umount " + link + " 2>&1; ls -ld .agents"));
        assertThat(said.lines().filter(line -> line.startsWith("Cap")).toList())
                .as(said)
                .allMatch(line -> line.endsWith("0000000000000000"));
        assertThat(said).contains(".agents -> real/.agents");
        unchanged();
    }

    @Test
    @DisplayName("links at protected names under an operator's floor, which compares each view with its policy")
    void alsoUnderAFloor(@TempDir(factory = VarTmp.class) Path own) throws IOException {
        // Everybody may write the folder of the copy, and could replace a file in it.
        Path floor = Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"))
                .resolve("floor.json");
        Files.writeString(
                floor,
                Json.object(
                                "type",
                                "managed",
                                "network",
                                "restricted",
                                "file_system",
                                Json.object(
                                        "type",
                                        "restricted",
                                        "entries",
                                        List.of(Policies.entry("root", "read"), Policies.entry(workspace, "write"))))
                        .toString());
        Files.setPosixFilePermissions(floor, PosixFilePermissions.fromString("rw-r--r--"));
        serve("--sandbox-floor", floor.toString());
        String said = ended(run("cat .agents/rule; rm .agents; echo fine > file"));
        assertThat(said).contains("kept", "Device or resource busy");
        assertThat(workspace.resolve("file")).hasContent("fine\n");
        unchanged();
    }

    @Test
    @DisplayName("a link inside of a protected place: what git would run through it cannot be written")
    void whatALinkInsideLeadsToIsProtected() throws IOException {
        Files.writeString(directory(".git").resolve("HEAD"), "ref: refs/heads/main\n");
        Files.writeString(directory("hooks").resolve("pre-commit"), "#!/bin/sh\n");
        Files.createSymbolicLink(workspace.resolve(".git/hooks"), Path.of("../hooks"));
        serve();
        String said =
                ended(run("cat .git/hooks/pre-commit; echo evil > hooks/pre-commit; echo evil > hooks/post-commit;"
                        + " mv hooks other; echo fine > file"));
        assertThat(said).contains("#!/bin/sh", "Device or resource busy");
        assertThat(said.lines().filter(line -> line.contains("Read-only file system")))
                .as(said)
                .hasSize(2);
        assertThat(workspace.resolve("hooks")).isDirectoryNotContaining("glob:**post-commit");
        assertThat(workspace.resolve("file")).hasContent("fine\n");
    }

    @Test
    @DisplayName(
            "C56: a link that matches an unreadable glob is no obstacle where its target is denied for another reason")
    void c56_aLinkThatMatchesAGlob() throws IOException {
        Path secret = Files.writeString(copy.folder().resolve("shared.env"), "secret");
        if (!prefix.isEmpty()) {
            Files.setAttribute(secret, "unix:uid", 65534);
        }
        Path env = Files.createSymbolicLink(workspace.resolve(".env"), Path.of("../shared.env"));
        serve();
        ObjectNode glob = Policies.denied("**/.env");
        String byPath = ended(run("cat .env; cat ../shared.env; echo ran", glob, Policies.entry(secret, "deny")));
        assertThat(byPath).contains("Permission denied", "ran").doesNotContain("secret");
        Answer refused = client.sendStart(Start.shell("cat .env")
                        .with("cwd", workspace.toUri().toString())
                        .with("sandbox", sandbox(glob)))
                .started();
        assertThat(refused.errorMessage()).contains("deny what the link leads to, " + secret + ", by path as well");

        Files.delete(env);
        Files.createSymbolicLink(env, Path.of("a.env"));
        assertThat(ended(run("cat .env; echo ran", Policies.denied("**/*.env"), glob)))
                .contains("ran");
        Files.writeString(workspace.resolve("a.env"), "secret");
        give();
        assertThat(ended(run("cat .env a.env; echo ran", Policies.denied("**/*.env"), glob)))
                .contains("Permission denied", "ran")
                .doesNotContain("secret");
    }

    @Test
    @DisplayName("B33: a file call cannot change the link")
    void aFileCallCannotChangeIt() throws IOException {
        serve();
        Answer answer = client.send(
                        "fs/remove",
                        Json.object("path", link.toString(), "recursive", false, "force", false, "sandbox", sandbox()))
                .answer(PATIENCE);
        assertThat(answer.errorCode()).isEqualTo(-32600);
        assertThat(answer.errorMessage()).isEqualTo("Permission denied: `" + link + "` is protected by the sandbox");
        unchanged();
    }
}
