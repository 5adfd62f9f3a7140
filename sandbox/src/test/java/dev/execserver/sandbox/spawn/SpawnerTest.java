package dev.execserver.sandbox.spawn;

import static dev.execserver.sandbox.spawn.ProcessFixture.ENVIRONMENT;
import static dev.execserver.sandbox.spawn.ProcessFixture.finish;
import static dev.execserver.sandbox.spawn.ProcessFixture.onVirtualThread;
import static dev.execserver.sandbox.spawn.ProcessFixture.openDescriptors;
import static dev.execserver.sandbox.spawn.ProcessFixture.readAll;
import static dev.execserver.sandbox.spawn.ProcessFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.io.PtyPair;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.PipeCalls;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.spawn.ProcessFixture.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SpawnerTest {
    private static ProcessFixture fixture;

    @BeforeAll
    static void open() {
        fixture = new ProcessFixture();
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Test
    void exitCodeAndBothStreamsArrive() {
        Outcome outcome = onVirtualThread(() -> fixture.run("echo out; echo err >&2; exit 7"));

        assertThat(outcome.out()).isEqualTo("out\n");
        assertThat(outcome.err()).isEqualTo("err\n");
        assertThat(outcome.status().code()).isEqualTo(7);
        assertThat(outcome.status().signaled()).isFalse();
        assertThat(outcome.status().maxRssKib()).isPositive();
    }

    @Test
    void signalsShowAs128PlusTheirNumber() {
        for (int signal : new int[] {ProcessCalls.SIGTERM, ProcessCalls.SIGKILL, ProcessCalls.SIGINT}) {
            Child child = fixture.start(new Stdio.Pipes(false), "/bin/sleep", "100");
            assertThat(child.signal(signal)).isTrue();

            ExitStatus status = finish(child).status();

            assertThat(status.code()).isEqualTo(128 + signal);
            assertThat(status.signaled()).isTrue();
            assertThat(status.signal()).isEqualTo(signal);
        }
    }

    @Test
    void signalsAfterTheExitReachNobody() {
        Child child = fixture.shell("exit 0");
        finish(child);

        assertThat(child.exited()).isTrue();
        assertThat(child.signal(ProcessCalls.SIGKILL)).isFalse();
        assertThat(child.signalGroup(ProcessCalls.SIGKILL)).isFalse();
    }

    @Test
    void severalThreadsMayAwaitTheSameExit() {
        Child child = fixture.start(new Stdio.Pipes(true), "/bin/sh", "-c", "read x; exit $x");
        Thread.ofVirtual().start(() -> write(child.stdin().orElseThrow(), "9\n"));

        ProcessFixture.inParallel(8, () -> assertThat(child.awaitExit().code()).isEqualTo(9));

        child.closeStreams();
    }

    @Test
    void waitingForAnExitCanHaveALimit() throws InterruptedException {
        Child child = fixture.start(new Stdio.Pipes(false), "/bin/sleep", "100");

        assertThat(child.awaitExit(Duration.ofMillis(20))).isEmpty();

        child.signal(ProcessCalls.SIGKILL);
        assertThat(child.awaitExit(Duration.ofSeconds(20))).isPresent();
        child.closeStreams();
    }

    @Test
    void aChildInheritsNoDescriptors() {
        assertThat(finish(fixture.start(new Stdio.Pipes(true), "/bin/ls", "/proc/self/fd"))
                        .out())
                // 3 is the directory that ls itself reads
                .isEqualTo("0\n1\n2\n3\n");
    }

    @Test
    void descriptorsGivenOnPurposeBecome3And4() {
        try (PipeCalls.Pipe pipe = PipeCalls.pipe()) {
            SpawnRequest request = new SpawnRequest(
                    SpawnRequest.bytes("/bin/sh"),
                    List.of("sh", "-c", "echo through >&4; ls /proc/self/fd; cat <&3"),
                    ENVIRONMENT,
                    SpawnRequest.bytes("/"),
                    new Stdio.Pipes(false),
                    ProcessMark.NONE,
                    List.of(pipe.readEnd(), pipe.writeEnd()));
            Child child = fixture.spawner.spawn(request);
            pipe.writeEnd().close();

            String seen = ProcessFixture.readUntil(child.stdout(), "through\n");

            assertThat(seen).contains("3\n4\n").contains("through");
            child.signal(ProcessCalls.SIGKILL);
            child.awaitExit();
            child.closeStreams();
        }
    }

    @Test
    void aChildLeadsItsOwnSessionAndGroupWithoutTerminal() {
        Child child = fixture.start(new Stdio.Pipes(true), "/bin/cat");

        ProcFiles.Stat stat = ProcFiles.stat(child.pid()).orElseThrow();

        assertThat(stat.session()).isEqualTo(child.pid());
        assertThat(stat.group()).isEqualTo(child.pid());
        assertThat(stat.terminal()).isZero();
        child.stdin().orElseThrow().close();
        assertThat(finish(child).status().code()).isZero();
    }

    @Test
    void signalMaskAndDispositionsAreReset() {
        String status = fixture.run("grep -E '^Sig(Blk|Ign)' /proc/self/status").out();

        assertThat(status).isEqualTo("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
    }

    @Test
    void argumentsEnvironmentAndDirectoryAreExactlyThoseGiven() {
        SpawnRequest request = new SpawnRequest(
                "/bin/sh",
                List.of("my name", "-c", "tr '\\0' '|' </proc/$$/cmdline; tr '\\0' '|' </proc/$$/environ; pwd -P", "ä"),
                List.of("B=2 3", "A=ö", "PATH=/usr/bin:/bin"),
                "/usr/share",
                new Stdio.Pipes(false),
                ProcessMark.NONE);

        String out = finish(fixture.spawner.spawn(request)).out();

        assertThat(out).startsWith("my name|-c|").contains("|ä|").endsWith("B=2 3|A=ö|PATH=/usr/bin:/bin|/usr/share\n");
    }

    @Test
    void stdinIsDevNullUnlessAPipeIsAskedFor() {
        assertThat(fixture.run("readlink /proc/self/fd/0; cat; echo end").out()).isEqualTo("/dev/null\nend\n");
    }

    @Test
    void b17_closingStdinEndsCatAndEverythingWrittenComesBack() {
        Child cat = fixture.start(new Stdio.Pipes(true), "/bin/cat");
        String text = "x".repeat(1_000_000);
        Thread.ofVirtual().start(() -> {
            write(cat.stdin().orElseThrow(), text);
            cat.stdin().orElseThrow().close();
        });

        String out = onVirtualThread(() -> readAll(cat.stdout()));

        assertThat(out).isEqualTo(text);
        assertThat(cat.awaitExit().code()).isZero();
        cat.closeStreams();
    }

    @Test
    void writingToAProgramThatDoesNotReadGivesEpipe() {
        Child child = fixture.start(new Stdio.Pipes(true), "/bin/true");
        child.awaitExit();

        assertThatThrownBy(() -> write(child.stdin().orElseThrow(), "x"))
                .isInstanceOfSatisfying(
                        LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPIPE));
        child.closeStreams();
    }

    @Test
    void aFailedStartSaysWhyAndLeavesNothingOpen(@TempDir Path directory) throws Exception {
        Path plain = Files.writeString(directory.resolve("plain"), "data");
        int before = openDescriptors();

        for (int i = 0; i < 20; i++) {
            assertErrno("/nowhere/program", "/", Errno.ENOENT);
            assertErrno("/bin/true", "/nowhere", Errno.ENOENT);
            assertErrno(plain.toString(), "/", Errno.EACCES);
            assertThatThrownBy(() -> fixture.start(new Stdio.Pipes(true), "/bin/echo", "a\0b"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("NUL");
            PtyPair pair = fixture.ptys.open(24, 80);
            assertThatThrownBy(() -> fixture.start(new Stdio.Terminal(pair), "/nowhere/program"))
                    .hasMessage("posix_spawn /nowhere/program: No such file or directory (os error 2)");
        }

        // Others in this JVM open and close descriptors, too. A leak stays open, so it would show at every check.
        await().until(() -> openDescriptors() <= before);
    }

    @Test
    void aScriptWithoutInterpreterLineIsRunByTheShell(@TempDir Path directory) throws Exception {
        Path script = Files.writeString(directory.resolve("script"), "echo $0 $1; exit 5\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));

        Outcome outcome = finish(fixture.start(new Stdio.Pipes(false), script.toString(), "one"));

        assertThat(outcome.out()).isEqualTo(script + " one\n");
        assertThat(outcome.status().code()).isEqualTo(5);
    }

    @Test
    void onlyABusyPipeIsEnlarged() {
        Child busy = fixture.start(new Stdio.Pipes(false), "/usr/bin/head", "-c", "5000000", "/dev/zero");
        assertThat(busy.stdout().use(PipeCalls::capacity)).isEqualTo(PipeCalls.DEFAULT_BYTES);

        assertThat(readAll(busy.stdout())).hasSize(5_000_000);

        assertThat(busy.stdout().use(PipeCalls::capacity)).isEqualTo(Spawner.Options.DEFAULT.pipeBytes());
        assertThat(busy.stderr().orElseThrow().use(PipeCalls::capacity)).isEqualTo(PipeCalls.DEFAULT_BYTES);
        finish(busy);
    }

    @Test
    void aProgramCannotForgeItsStateByItsName(@TempDir Path directory) throws Exception {
        Path program = Files.copy(Path.of("/bin/sleep"), directory.resolve("a) Z 1 (b"));
        Child child = fixture.start(new Stdio.Pipes(false), program.toString(), "4750");

        ProcFiles.Stat stat = ProcFiles.stat(child.pid()).orElseThrow();

        assertThat(stat.dead()).isFalse();
        assertThat(stat.parent()).isEqualTo(ProcessCalls.ownPid());
        child.signal(ProcessCalls.SIGKILL);
        child.awaitExit();
        child.closeStreams();
    }

    @Test
    void aClosedSpawnerRefuses() {
        Spawner spawner = new Spawner(fixture.poller);
        spawner.close();

        assertThatThrownBy(() -> spawner.spawn(new SpawnRequest(
                        "/bin/true", List.of("true"), List.of(), "/", new Stdio.Pipes(false), ProcessMark.NONE)))
                .isInstanceOf(ClosedException.class);
    }

    @Test
    void processBuilderOfTheSameJvmIsNotDisturbed() throws Exception {
        Thread ours = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < 40; i++) {
                fixture.run("exit 3");
            }
        });
        for (int i = 0; i < 20; i++) {
            assertThat(new ProcessBuilder("/bin/sh", "-c", "exit 9").start().waitFor())
                    .isEqualTo(9);
        }
        ours.join();
    }

    private static void assertErrno(String program, String cwd, int errno) {
        SpawnRequest request = new SpawnRequest(
                program, List.of(program), ENVIRONMENT, cwd, new Stdio.Pipes(true), fixture.marks.next());
        assertThatThrownBy(() -> fixture.spawner.spawn(request))
                .isInstanceOfSatisfying(
                        LinuxException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }
}
