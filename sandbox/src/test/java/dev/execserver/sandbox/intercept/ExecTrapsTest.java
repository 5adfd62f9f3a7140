package dev.execserver.sandbox.intercept;

import static dev.execserver.sandbox.intercept.InterceptFixture.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.intercept.InterceptFixture.Outcome;
import dev.execserver.sandbox.intercept.InterceptFixture.Running;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.ProcFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Execs in unusual ways and at unusual moments. */
@Timeout(90)
class ExecTrapsTest {
    private static final Function<ExecRequest, ExecDecision> RUN = request -> new ExecDecision.Run();
    private static final ExecDecision DENIED = new ExecDecision.Errno(Errno.EACCES);
    private static final ExecDecision ENDED = new ExecDecision.Exit(9, "Execution denied: not here");
    private static final Duration LONG = Duration.ofSeconds(30);

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

    private Outcome python(Function<ExecRequest, ExecDecision> policy, String script) {
        return fixture.run(policy, "/usr/bin/python3", "-c", script);
    }

    @Test
    void aProgramThatIsExecutedByADescriptorIsKnownByItsFile() throws Exception {
        Files.createSymbolicLink(directory.resolve("link"), Path.of("/usr/bin/id"));
        // execveat(2): relative to a directory, by an empty path, and a link that must not be followed
        String script = """
                import ctypes, os, platform
                libc = ctypes.CDLL(None, use_errno=True)
                number = 322 if platform.machine() == "x86_64" else 281
                argv = (ctypes.c_char_p * 3)(b"id", b"-u", None)
                def execute(fd, path, flags):
                    if os.fork() == 0:
                        libc.syscall(number, fd, path, argv, None, flags)
                        os._exit(ctypes.get_errno())
                    print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
                execute(os.open("/usr/bin", os.O_PATH), b"id", 0)
                execute(os.open("/usr", os.O_RDONLY), b"lib/../bin/id", 0)
                execute(os.open("/usr/bin/id", os.O_PATH), b"", 0x1000)
                execute(os.open("%s", os.O_PATH), b"link", 0)
                execute(os.open("%s", os.O_PATH), b"link", 0x100)
                """.formatted(directory, directory);

        Outcome denied = python(answer("id", DENIED), script);
        Outcome ran = python(RUN, script);

        assertThat(denied.asked()).containsExactly("id", "id", "id", "id");
        assertThat(denied.out()).isEqualTo("13\n".repeat(4) + "40\n");
        assertThat(ran.out().lines().filter("0"::equals).count()).isGreaterThanOrEqualTo(4);
        assertThat(ran.out()).endsWith("0\n40\n");
    }

    @Test
    void theDenialOfAThreadEndsItsProcess() {
        String script = """
                import os, threading
                if os.fork() == 0:
                    threading.Thread(target=lambda: os.execv("/usr/bin/id", ["id"])).start()
                    threading.Event().wait()
                print(os.waitstatus_to_exitcode(os.wait()[1]))
                """;

        Outcome outcome = python(answer("id", ENDED), script);

        assertThat(outcome.out()).isEqualTo("9\n");
        assertThat(outcome.err()).isEqualTo("Execution denied: not here\n");
    }

    @Test
    void aTaskThatIsTracedBySomebodyElseDoesNotRunUnseen() {
        // PTRACE_TRACEME, as a debugger's child does
        String script = """
                import ctypes, os
                pid = os.fork()
                if pid == 0:
                    ctypes.CDLL(None).ptrace(0, 0, 0, 0)
                    try:
                        os.execv("/usr/bin/id", ["id"])
                    except OSError as e:
                        os._exit(e.errno)
                print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
                """;

        Outcome outcome = python(RUN, script);

        assertThat(outcome.out()).isEqualTo("13\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "exit", "escalate"})
    void aTaskThatIsStoppedWhileAskedGoesOnWhenItIsContinued(String kind) {
        CompletableFuture<ExecDecision> decision = new CompletableFuture<>();
        Running running = fixture.start(
                request -> InterceptFixture.name(request).equals("id") ? decision.join() : new ExecDecision.Run(),
                "/bin/sh",
                "-c",
                "exec id -u");
        await().atMost(LONG).until(() -> running.asked().contains("id"));

        running.child().signal(19); // SIGSTOP
        decision.complete(
                switch (kind) {
                    case "run" -> new ExecDecision.Run();
                    case "exit" -> ENDED;
                    default -> fixture.escalate();
                });
        if (kind.equals("run")) {
            await().atMost(LONG).until(() -> stopped(running));
        }
        running.child().signal(18); // SIGCONT

        Outcome outcome = running.finish();
        assertThat(outcome.status().code()).isEqualTo(kind.equals("exit") ? 9 : 0);
        assertThat(outcome.out()).hasLineCount(kind.equals("exit") ? 0 : 1);
    }

    private static boolean stopped(Running running) {
        return ProcFiles.stat(running.child().pid())
                .filter(ProcFiles.Stat::stopped)
                .isPresent();
    }

    @Test
    void decisionsOfAllKindsAtOnceReachTheirOwnTasks() {
        ExecDecision escalated = fixture.escalate();
        Map<String, ExecDecision> answers = Map.of(
                "run", new ExecDecision.Run(),
                "errno", DENIED,
                "exit", ENDED,
                "escalate", escalated);
        String script = """
                import subprocess
                kinds = ["run", "errno", "exit", "escalate"]
                def start(i):
                    return subprocess.Popen(["/bin/sh", "-c", "exec /usr/bin/env sh -c 'exit %d' %s" % (i % 100, kinds[i % 4])],
                        stderr=subprocess.DEVNULL)
                all = [start(i) for i in range(200)]
                wrong = [i for i, p in enumerate(all) if p.wait() != {"run": i % 100, "errno": 126, "exit": 9, "escalate": i % 100}[kinds[i % 4]]]
                print(len(all), wrong)
                """;

        Outcome outcome = python(
                request -> InterceptFixture.name(request).equals("env")
                        ? answers.get(new String(request.argv().getLast(), java.nio.charset.StandardCharsets.UTF_8))
                        : new ExecDecision.Run(),
                script);

        assertThat(outcome.out()).isEqualTo("200 []\n");
        assertThat(count(outcome.asked())).containsEntry("env", 200L);
    }

    private static Map<String, Long> count(List<String> names) {
        return names.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }
}
