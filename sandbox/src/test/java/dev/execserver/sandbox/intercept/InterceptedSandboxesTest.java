package dev.execserver.sandbox.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.execserver.sandbox.intercept.InterceptFixture.Outcome;
import dev.execserver.sandbox.intercept.InterceptFixture.Running;
import dev.execserver.sandbox.landlock.LandlockRestriction;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.RestrictionCalls;
import dev.execserver.sandbox.seccomp.FilterMode;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Stdio;
import dev.execserver.sandbox.stage.StageImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class InterceptedSandboxesTest {
    private static final Function<ExecRequest, ExecDecision> RUN = request -> new ExecDecision.Run();
    private static final ExecDecision ENDED = new ExecDecision.Exit(9, "Execution denied: not here");

    private static InterceptFixture fixture;

    @TempDir
    Path directory;

    @BeforeAll
    static void open() {
        fixture = new InterceptFixture(true);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Test
    void commandsInNamespacesOfTheirOwnAreIntercepted() {
        ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
        AtomicReference<ExecRequest> seen = new AtomicReference<>();
        Interception interception = fixture.supervisor.intercept(request -> {
            asked.add(InterceptFixture.name(request));
            seen.set(request);
            return switch (InterceptFixture.name(request)) {
                case "id" -> ENDED;
                case "ls" -> fixture.escalate();
                default -> new ExecDecision.Run();
            };
        });
        interception.alsoExecuted();
        List<String> bubblewrap = List.of(
                "bwrap",
                "--unshare-user",
                "--unshare-pid",
                "--unshare-net",
                "--die-with-parent",
                "--ro-bind",
                "/",
                "/",
                "--dev",
                "/dev",
                "--proc",
                "/proc",
                "--tmpfs",
                "/mnt",
                "--",
                "sh",
                "-c",
                "cd /usr; id 2>&1; echo $?; /bin/echo plain; ls -d share; cp /bin/ls /mnt; /mnt/ls 2>&1; echo $?");
        SpawnRequest request = new SpawnRequest(
                        "/usr/bin/bwrap",
                        bubblewrap,
                        InterceptFixture.ENVIRONMENT,
                        "/",
                        new Stdio.Pipes(false),
                        fixture.marks.next())
                .restrictedBy(interception);

        Outcome outcome = new Running(fixture.spawner.spawn(request), interception, asked).finish();

        assertThat(outcome.out())
                .isEqualTo("Execution denied: not here\n9\nplain\nshare\n"
                        + "exec-server: /mnt/ls is another file outside of the sandbox, not executed\n126\n");
        assertThat(outcome.asked()).containsExactly("id", "echo", "ls", "cp", "ls");
        assertThat(seen.get().program().text()).isEqualTo("/mnt/ls");
        assertThat(seen.get().program().onHost()).isFalse();
    }

    @Test
    void callsOfOtherArchitecturesFailAndAreNotKilled() throws Exception {
        assumeTrue(Machine.current().orElseThrow() == Machine.X86_64, "the code is for x86-64");
        // execve(2) of i386 by int 0x80, and of x32; the exit code is the errno.
        Path i386 = program("i386", "b80b000000" + "cd80");
        Path x32 = program("x32", "b83b000040" + "0f05");

        Outcome outcome = fixture.shell(RUN, i386 + "; echo $?; " + x32 + "; echo $?");

        assertThat(outcome.out()).isEqualTo((Errno.ENOSYS + "\n").repeat(2));
    }

    @Test
    void theDeathOfTheServerFailsWhatWaits() throws Exception {
        Path result = directory.resolve("result");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                AskingServer.class.getName(),
                "exec 2> /dev/null; /usr/bin/id; echo $? > " + result);
        Child server = fixture.spawner.spawn(new SpawnRequest(
                command.getFirst(),
                command,
                InterceptFixture.ENVIRONMENT,
                "/",
                new Stdio.Pipes(false),
                fixture.marks.next()));
        await().atMost(Duration.ofSeconds(40)).until(() -> server.stdout().backlog() > 0);

        server.signal(ProcessCalls.SIGKILL);
        server.awaitExit();

        await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(result) && Files.size(result) > 0);
        assertThat(result).hasContent("126");
        server.closeStreams();
    }

    @Test
    void commandsUnderLandlockAreIntercepted() {
        OptionalInt abi = RestrictionCalls.landlockAbi();
        assumeTrue(abi.orElse(0) >= LandlockRestriction.LOWEST_ABI, "this kernel has no Landlock");
        Interception interception = fixture.supervisor.intercept(request -> switch (InterceptFixture.name(request)) {
            case "id" -> ENDED;
            case "touch" -> fixture.escalate();
            default -> new ExecDecision.RunVerified();
        });
        String file = directory.resolve("made").toString();
        try (LandlockRestriction landlock = new LandlockRestriction(
                abi.orElseThrow(),
                List.of(),
                FilterMode.RESTRICTED,
                Machine.current().orElseThrow(),
                Optional.empty())) {
            SpawnRequest request = new SpawnRequest(
                            "/bin/sh",
                            List.of(
                                    "sh",
                                    "-c",
                                    "id 2>&1; echo $?; /bin/echo x 2>&1; (> " + file + ") 2> /dev/null || touch "
                                            + file),
                            InterceptFixture.ENVIRONMENT,
                            "/",
                            new Stdio.Pipes(false),
                            fixture.marks.next())
                    .restrictedBy(landlock)
                    .restrictedBy(interception);

            Outcome outcome =
                    new Running(fixture.spawner.spawn(request), interception, new ConcurrentLinkedQueue<>()).finish();

            assertThat(outcome.out()).isEqualTo("Execution denied: not here\n9\nx\n");
            assertThat(Path.of(file)).exists();
        }
    }

    @Test
    void everyKindOfDecisionWorksHere() {
        InterceptProbe probe =
                new InterceptProbe(fixture.supervisor, fixture.spawner, fixture.marks, Duration.ofSeconds(20));

        assertThat(probe.attempt()).isEmpty();
    }

    @Test
    void aTaskThatHidesItsMemoryIsRefused() {
        String script = """
                import ctypes, os
                ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
                os.execv('/usr/bin/id', ['id'])
                """;

        Outcome outcome = fixture.run(RUN, "/usr/bin/python3", "-c", script);

        // The superuser reads it all the same.
        assertThat(outcome.err().contains("PermissionError") || outcome.asked().contains("id"))
                .isTrue();
    }

    private Path program(String name, String call) throws IOException {
        byte[] code = HexFormat.of().parseHex(call + "f7d8" + "89c7" + "b8e7000000" + "0f05");
        Path file = directory.resolve(name);
        Files.write(file, StageImage.assembleRaw(Machine.X86_64, 256, data -> {}, at -> at.put(code)));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    @Test
    void aFileThatIsMountedOverATrustedOneIsNotEscalated() {
        String script = "unshare -rm sh -c 'mount --bind /bin/echo /usr/bin/id && id forged; echo $?'";

        Outcome outcome = fixture.shell(InterceptFixture.answer("id", fixture.escalate()), script);

        assumeTrue(outcome.asked().contains("id"), "user namespaces cannot be made here");
        assertThat(outcome.out()).isEqualTo("126\n");
        assertThat(outcome.err()).contains("/usr/bin/id is another file outside of the sandbox");
    }
}
