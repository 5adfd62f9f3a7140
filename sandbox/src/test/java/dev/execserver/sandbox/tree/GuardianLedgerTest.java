package dev.execserver.sandbox.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.spawn.ProcessFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the guardian's clean-up after the pipe to its server has closed, also if the files have changed meanwhile. */
@Timeout(60)
class GuardianLedgerTest {
    private static final int MARKED = 01555;

    private ProcessFixture fixture;
    private Ledger ledger;

    @TempDir
    private Path base;

    private Path workspace;
    private Path outside;

    @BeforeEach
    void open() throws IOException {
        fixture = new ProcessFixture();
        ledger = Ledger.create();
        workspace = Files.createDirectory(base.resolve("a b\n$(x)"));
        outside = Files.createDirectory(base.resolve("outside"));
    }

    @AfterEach
    void close() {
        fixture.close();
        ledger.close();
    }

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }

    private Path placeholder(String name) {
        Path path = workspace.resolve(name);
        Ledger.Entry entry = ledger.intend(Ledger.Kind.PLACEHOLDER, bytes(path)).orElseThrow();
        EntryCalls.makeDirectory(bytes(path), MARKED);
        entry.identify(FileCalls.status(bytes(path), false));
        return path;
    }

    /** Closes the pipe without a line, as after a kill. */
    private void serverIsKilled() {
        Guardian guardian = Guardian.start(fixture.spawner, fixture.marks, ledger);
        int pid = guardian.pid();
        guardian.abandon();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> ProcFiles.stat(pid).filter(stat -> !stat.dead()).isEmpty());
    }

    @Test
    void placeholdersGoAlsoThoseThatWereOnlyJustMade() throws IOException {
        Path made = placeholder(".git");
        Path file = workspace.resolve("m");
        Ledger.Entry ofFile =
                ledger.intend(Ledger.Kind.PLACEHOLDER, bytes(file)).orElseThrow();
        EntryCalls.makeFile(bytes(file), 01444);
        ofFile.identify(FileCalls.status(bytes(file), false));
        Path justMade = workspace.resolve(".codex");
        assertThat(ledger.intend(Ledger.Kind.PLACEHOLDER, bytes(justMade))).isPresent();
        EntryCalls.makeDirectory(bytes(justMade), MARKED);
        serverIsKilled();
        assertThat(made).doesNotExist();
        assertThat(file).doesNotExist();
        assertThat(justMade).doesNotExist();
        assertThat(workspace).isEmptyDirectory();
    }

    @Test
    void aStandInForTheCommonDirectoryOfGitGoesUnlessSomebodyHasWrittenIt() throws IOException {
        Path made = Files.createDirectory(workspace.resolve("a")).resolve("commondir");
        Path written = Files.createDirectory(workspace.resolve("b")).resolve("commondir");
        for (Path path : List.of(made, written)) {
            EntryCalls.makeFile(bytes(path), 01644);
            Files.writeString(path, ".\n");
            Ledger.Entry _ = ledger.add(Ledger.Kind.PLACEHOLDER, bytes(path), FileCalls.status(bytes(path), false));
        }
        Files.writeString(written, "x\n");
        serverIsKilled();
        assertThat(made).doesNotExist();
        assertThat(written).content().isEqualTo("x\n");
    }

    @Test
    void whatSomebodyHasPutThereStays() throws IOException {
        Path replaced = placeholder(".git");
        Files.move(replaced, workspace.resolve("moved"));
        Files.createDirectory(replaced);
        Path own = workspace.resolve(".codex");
        assertThat(ledger.intend(Ledger.Kind.PLACEHOLDER, bytes(own))).isPresent();
        Files.createDirectory(own);
        Path withdrawn = workspace.resolve(".aws");
        ledger.intend(Ledger.Kind.PLACEHOLDER, bytes(withdrawn)).orElseThrow().close();
        EntryCalls.makeDirectory(bytes(withdrawn), MARKED);
        Path used = placeholder(".agents");
        try (Fd lock = FileCalls.open(bytes(used), FileCalls.O_RDONLY, 0)) {
            assertThat(EntryCalls.tryLockShared(lock)).isTrue();
            serverIsKilled();
        }
        assertThat(Stream.of(replaced, own, withdrawn, used, workspace.resolve("moved")))
                .allMatch(Files::isDirectory);
    }

    @Test
    @DisplayName("C57: what the user has filled is the user's after a kill too: it stays, and its mark goes")
    void c57_whatTheUserHasFilledLosesItsMark() throws IOException {
        Path directory = placeholder(".git");
        Files.createFile(directory.resolve("HEAD"));
        Path file = workspace.resolve("not-yet");
        Ledger.Entry ofFile =
                ledger.intend(Ledger.Kind.PLACEHOLDER, bytes(file)).orElseThrow();
        EntryCalls.makeFile(bytes(file), 01644);
        ofFile.identify(FileCalls.status(bytes(file), false));
        Files.writeString(file, "mine");
        Path replaced = placeholder(".codex");
        Files.move(replaced, workspace.resolve("moved"));
        EntryCalls.makeDirectory(bytes(replaced), MARKED);
        Files.createFile(replaced.resolve("of somebody else"));
        serverIsKilled();
        assertThat(directory.resolve("HEAD")).exists();
        assertThat(file).hasContent("mine");
        assertThat(mode(directory)).isEqualTo(0555);
        assertThat(mode(file)).isEqualTo(0644);
        assertThat(mode(replaced)).isEqualTo(MARKED);
    }

    private static int mode(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:mode") & 07777;
    }

    @Test
    void c50_aDirectoryThatWasReplacedByALinkLeadsTheGuardianNowhere() throws IOException {
        placeholder(".git");
        Path link = workspace.resolve(".agents");
        ledger.addLink(bytes(link), bytes(Path.of("/evil")));
        Files.move(workspace, base.resolve("moved"));
        Files.createSymbolicLink(workspace, outside);
        EntryCalls.makeDirectory(bytes(outside.resolve(".git")), MARKED);
        Files.writeString(outside.resolve(".agents"), "kept");
        serverIsKilled();
        assertThat(outside.resolve(".git")).isDirectory();
        assertThat(outside.resolve(".agents")).isRegularFile().hasContent("kept");
    }

    @Test
    void linksArePutRightAndWhatWasInTheirPlaceIsMovedAside() throws IOException {
        Path swapped = Files.createSymbolicLink(workspace.resolve("swapped"), outside);
        Path removed = workspace.resolve("re moved");
        Path covered = Files.createDirectory(workspace.resolve("covered"));
        Files.writeString(covered.resolve("work"), "mine");
        for (Path link : new Path[] {swapped, removed, covered}) {
            ledger.addLink(bytes(link), bytes(Path.of("real\ntarget")));
        }
        serverIsKilled();
        assertThat(Stream.of(swapped, removed, covered).map(GuardianLedgerTest::target))
                .containsOnly(Path.of("real\ntarget"));
        try (Stream<Path> all = Files.list(workspace)) {
            assertThat(all.filter(path -> path.getFileName().toString().startsWith("covered.blocked-by-sandbox-")))
                    .singleElement()
                    .satisfies(aside -> assertThat(aside.resolve("work")).hasContent("mine"));
        }
        assertThat(outside).isEmptyDirectory();
    }

    private static Path target(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException e) {
            return link;
        }
    }

    @Test
    void foldersGoWithWhatIsInThemButLinksInThemLeadNowhere() throws IOException {
        Path folder = Files.createDirectory(base.resolve("own"));
        Files.createSymbolicLink(folder.resolve("link"), outside);
        Files.writeString(Files.createDirectory(folder.resolve("sub")).resolve("f"), "x");
        Path kept = Files.writeString(outside.resolve("kept"), "x");
        Path other = Files.createDirectory(base.resolve("other"));
        ledger.add(Ledger.Kind.FOLDER, bytes(folder), FileCalls.status(bytes(folder), false));
        ledger.add(Ledger.Kind.FOLDER, bytes(other), FileCalls.status(bytes(folder), false));
        serverIsKilled();
        assertThat(Files.exists(folder, LinkOption.NOFOLLOW_LINKS)).isFalse();
        assertThat(kept).exists();
        assertThat(other).as("not the one that was made").isDirectory();
    }

    @Test
    void aGuardianThatIsStartedAgainKnowsTheSame() {
        Path made = placeholder(".git");
        Guardian guardian = Guardian.start(fixture.spawner, fixture.marks, ledger);
        int first = guardian.pid();
        ProcessCalls.kill(first, ProcessCalls.SIGKILL);
        await().atMost(Duration.ofSeconds(20)).until(() -> guardian.pid() != first && guardian.watching());
        assertThat(made).exists();
        guardian.abandon();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(made).doesNotExist());
    }
}
