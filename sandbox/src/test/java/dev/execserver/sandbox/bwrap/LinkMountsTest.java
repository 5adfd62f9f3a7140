package dev.execserver.sandbox.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.sandbox.io.Drain;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.CrossedLink;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ProcessMark;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Uses real namespaces: unshare(1) makes them. */
@Timeout(60)
class LinkMountsTest {
    @TempDir
    private Path temporary;

    private final Poller poller = new Poller();
    private final Spawner spawner = new Spawner(poller);
    private final LinkMounts mounts = new LinkMounts(spawner);
    private Path folder;

    @BeforeEach
    void canonical() throws IOException {
        folder = temporary.toRealPath();
    }

    @AfterEach
    void close() {
        spawner.close();
        poller.close();
    }

    /** Starts a shell in a separate mount namespace; it waits for a line before it runs the script. */
    private Child isolated(String script) {
        Child child = spawner.spawn(new SpawnRequest(
                "/usr/bin/unshare",
                List.of("unshare", "-U", "-r", "-m", "/bin/sh", "-c", "echo ready; read go; " + script),
                List.of("PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"),
                folder.toString(),
                new Stdio.Pipes(true),
                ProcessMark.NONE));
        assertThat(child.stdout().awaitReadable(Duration.ofSeconds(30).toNanos()))
                .isTrue();
        assertThat(Drain.available(child.stdout(), 100)).isEqualTo("ready\n");
        return child;
    }

    private static String go(Child child) {
        child.stdin().orElseThrow().close();
        String said = Drain.untilEnd(child.stdout(), 1 << 16, Duration.ofSeconds(30))
                + Drain.untilEnd(child.stderr().orElseThrow(), 1 << 16, Duration.ofSeconds(30));
        child.awaitExit();
        child.closeStreams();
        return said;
    }

    private CrossedLink link(String name, String target) throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve(name), Path.of(target));
        LinuxPath path = LinuxPath.of(link.toString());
        FileStatus status = FileCalls.status(path.bytes(), false);
        return new CrossedLink(path, target.getBytes(), new FileId(status.device(), status.inode()));
    }

    @Test
    void aMountedLinkLeadsOnAndCannotBeReplaced() throws IOException {
        Files.writeString(Files.createDirectory(folder.resolve("real")).resolve("f"), "content\n");
        CrossedLink link = link(".git", "real");
        Child child = isolated("cat .git/f; rm .git; mv .git x; ln -sfn x .git; touch -h .git");
        assertThat(mounts.lay(child.pid(), List.of(link))).isEmpty();
        assertThat(go(child).lines())
                .hasSize(5)
                .contains("content")
                .filteredOn(line -> line.contains("Device or resource busy"))
                .hasSize(3);
        assertThat(folder.resolve(".git")).isSymbolicLink();
    }

    @Test
    void manyLinksAreMountedAtOnce() throws IOException {
        List<CrossedLink> links = IntStream.range(0, 40)
                .mapToObj(i -> {
                    try {
                        return link("link-" + "x".repeat(i), "nowhere");
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                })
                .toList();
        Child child = isolated("rm link-*");
        assertThat(mounts.lay(child.pid(), links)).isEmpty();
        assertThat(go(child).lines()).hasSize(40).allMatch(line -> line.contains("busy"));
    }

    @Test
    void aLinkThatWasExchangedMeanwhileIsTold() throws IOException {
        CrossedLink link = link(".git", "real");
        Files.delete(folder.resolve(".git"));
        Files.createSymbolicLink(folder.resolve("keeps-the-number"), Path.of("x"));
        Files.createSymbolicLink(folder.resolve(".git"), Path.of("evil"));
        Child child = isolated("true");
        assertThat(mounts.lay(child.pid(), List.of(link)))
                .hasValueSatisfying(obstacle ->
                        assertThat(obstacle).contains(folder.resolve(".git").toString(), "was changed"));
        go(child);
    }

    @Test
    void aLinkThatIsGoneIsAnError() throws IOException {
        CrossedLink link = link(".git", "real");
        Files.delete(folder.resolve(".git"));
        Child child = isolated("true");
        assertThatThrownBy(() -> mounts.mount(child.pid(), List.of(link.path())))
                .isInstanceOfSatisfying(
                        LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT));
        go(child);
    }
}
