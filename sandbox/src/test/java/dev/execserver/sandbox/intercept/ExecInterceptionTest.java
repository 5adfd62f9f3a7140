package dev.execserver.sandbox.intercept;

import static dev.execserver.sandbox.intercept.InterceptFixture.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.intercept.InterceptFixture.Outcome;
import dev.execserver.sandbox.intercept.InterceptFixture.Running;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ExecInterceptionTest {
    private static final Function<ExecRequest, ExecDecision> RUN = request -> new ExecDecision.Run();
    private static final ExecDecision DENIED = new ExecDecision.Errno(Errno.EACCES);
    private static final ExecDecision ENDED = new ExecDecision.Exit(9, "Execution denied: not here");

    private static InterceptFixture fixture;

    @TempDir
    Path directory;

    @BeforeAll
    static void open() {
        fixture = new InterceptFixture(false);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Test
    void everyProgramOfEveryDescendantIsAskedAboutOnce() {
        Outcome outcome = fixture.shell(RUN, "unset BASH_ENV; env id -u; (nice ls /dev/null)");

        assertThat(outcome.out()).endsWith("/dev/null\n");
        assertThat(outcome.asked()).containsExactly("env", "id", "nice", "ls");
    }

    @Test
    void aPathSearchAsksNothingAboutFilesThatDoNotExist() {
        Outcome outcome = fixture.shell(RUN, "PATH=/nowhere:/etc:/etc/passwd:/usr/bin:/bin env id -u; nosuch; echo $?");

        assertThat(outcome.asked()).containsExactly("env", "id");
        assertThat(outcome.out()).endsWith("127\n");
    }

    @Test
    void anErrorNumberIsTheErrorOfTheExec() {
        Outcome outcome = fixture.shell(answer("id", DENIED), "id; echo $?; env id; echo $?");

        assertThat(outcome.out()).isEqualTo("126\n126\n");
        assertThat(outcome.err()).contains("Permission denied");
    }

    @Test
    void anExitEndsTheTaskWithCodeAndLine() {
        Outcome outcome = fixture.shell(answer("id", ENDED), "id 2>&1; echo $?; env id 2>&1; echo $?");

        assertThat(outcome.out()).isEqualTo("Execution denied: not here\n9\n".repeat(2));
    }

    @Test
    void theLeaderItselfCanBeEnded() {
        Outcome outcome = fixture.shell(answer("id", ENDED), "exec id");

        assertThat(outcome.status().code()).isEqualTo(9);
        assertThat(outcome.status().signaled()).isFalse();
        assertThat(outcome.err()).isEqualTo("Execution denied: not here\n");
    }

    @Test
    void aLineThatNobodyReadsHoldsNothingUp() {
        String script = "(yes | head -c 70000) >&2 & sleep 0.2; id; echo $?";
        Running running = fixture.start(answer("id", ENDED), "/bin/sh", "-c", script);

        String out = InterceptFixture.readAll(running.child().stdout());

        assertThat(out).isEqualTo("9\n");
        running.finish();
    }

    @Test
    void parentsThatShareTheirMemoryAreUnharmedByAThousandDenials() {
        String script = """
                import subprocess, sys
                codes = set()
                for i in range(1000):
                    codes.add(subprocess.run(["/usr/bin/id"], stderr=subprocess.DEVNULL, close_fds=False).returncode)
                print(sys.version_info[0], codes)
                """;

        Outcome outcome = fixture.run(answer("id", ENDED), "/usr/bin/python3", "-c", script);

        assertThat(outcome.out()).isEqualTo("3 {9}\n");
        assertThat(outcome.status().code()).isZero();
    }

    @Test
    void theRequestSaysWhatWillRunAndWhere() {
        AtomicReference<ExecRequest> seen = new AtomicReference<>();
        AtomicReference<List<byte[]>> environment = new AtomicReference<>();
        Path link = directory.resolve("link");

        fixture.shell(
                request -> {
                    if (InterceptFixture.name(request).equals("id")) {
                        seen.set(request);
                        environment.set(request.environment().get());
                    }
                    return new ExecDecision.Run();
                },
                "cd " + directory + "; ln -s /usr/bin/id link; A=1 ./link -u 'x y'");

        ExecRequest request = seen.get();
        assertThat(request.program().text()).isEqualTo("/usr/bin/id");
        assertThat(request.program().onHost()).isTrue();
        assertThat(text(request.typed())).isEqualTo("./link");
        assertThat(request.argv().stream().map(ExecInterceptionTest::text)).containsExactly("./link", "-u", "x y");
        assertThat(text(request.cwd())).isEqualTo(directory.toString());
        assertThat(request.threads()).isEqualTo(1);
        assertThat(environment.get().stream().map(ExecInterceptionTest::text)).contains("A=1", "LC_ALL=C");
        assertThat(link).isSymbolicLink();
    }

    @Test
    void scriptsAreAskedAboutUnderTheirOwnName() throws Exception {
        Path script = Files.writeString(directory.resolve("script"), "#!/bin/sh\necho ran $1\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();

        Outcome ran = fixture.shell(request -> new ExecDecision.RunVerified(), script + " now; echo $?");
        Outcome denied = fixture.shell(answer("script", DENIED), script + "; echo $?");

        assertThat(ran.out()).isEqualTo("ran now\n0\n");
        assertThat(ran.asked()).containsExactly("script");
        assertThat(denied.out()).isEqualTo("126\n");
    }

    @Test
    void programsWithoutANameAreAskedAbout() {
        String script = """
                import os
                source = open("/usr/bin/id", "rb").read()
                memory = os.memfd_create("hidden", 0)
                os.write(memory, source)
                for path in ["/proc/self/fd/%d", "/dev/fd/%d", "/proc/thread-self/fd/%d"]:
                    if os.fork() == 0:
                        try:
                            os.execv(path % memory, ["id"])
                        except OSError as e:
                            os._exit(e.errno)
                    print(os.waitstatus_to_exitcode(os.wait()[1]))
                if os.fork() == 0:
                    try:
                        os.execve(memory, ["id"], {})
                    except OSError as e:
                        os._exit(e.errno)
                print(os.waitstatus_to_exitcode(os.wait()[1]))
                """;

        Outcome outcome = fixture.run(
                request -> request.program().named() ? new ExecDecision.Run() : DENIED,
                "/usr/bin/python3",
                "-c",
                script);

        assertThat(outcome.out()).isEqualTo("13\n".repeat(4));
        assertThat(outcome.asked()).hasSize(4).allMatch(name -> name.startsWith("memfd:hidden"));
    }

    @Test
    void decisionsThatWaitHoldNothingUp() {
        CompletableFuture<ExecDecision> answer = new CompletableFuture<>();
        Running running = fixture.start(
                request -> InterceptFixture.name(request).equals("id") ? answer.join() : new ExecDecision.Run(),
                "/bin/sh",
                "-c",
                "id -u & ls /dev/null; wait");

        await().atMost(Duration.ofSeconds(20)).until(() -> running.asked().containsAll(List.of("id", "ls")));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> running.interception().waiting() == 1);
        answer.complete(new ExecDecision.Run());

        assertThat(running.finish().out()).startsWith("/dev/null\n").hasLineCount(2);
    }

    @Test
    void manyExecsAtOnceAreAllDecided() {
        Outcome outcome = fixture.shell(RUN, "i=0; while [ $i -lt 200 ]; do /bin/echo x & i=$((i+1)); done; wait");

        assertThat(outcome.out()).hasLineCount(200);
        assertThat(outcome.asked()).hasSize(200);
    }

    @Test
    void aTaskThatDiesWhileAskedIsForgotten() {
        CountDownLatch interrupted = new CountDownLatch(1);
        Running running = fixture.start(
                request -> waitFor(interrupted),
                "/bin/sh",
                "-c",
                "id & sleep=$!; trap '' HUP; read x; kill $sleep; wait; echo end");
        await().atMost(Duration.ofSeconds(20)).until(() -> running.asked().contains("id"));

        write(running, "\n");

        await().atMost(Duration.ofSeconds(20)).until(() -> interrupted.getCount() == 0);
        assertThat(running.finish().out()).isEqualTo("end\n");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> running.interception().waiting() == 0);
    }

    @Test
    void aSignalThatIsCaughtDoesNotDisturbAQuestion() {
        CompletableFuture<ExecDecision> answer = new CompletableFuture<>();
        Running running = fixture.start(
                request -> InterceptFixture.name(request).equals("id") ? answer.join() : new ExecDecision.Run(),
                "/usr/bin/python3",
                "-c",
                "import os, signal; signal.signal(signal.SIGUSR1, lambda *a: None); os.execv('/usr/bin/id', ['id', '-u'])");
        await().atMost(Duration.ofSeconds(20)).until(() -> running.asked().contains("id"));

        running.child().signal(10);
        answer.complete(DENIED);

        Outcome outcome = running.finish();
        assertThat(outcome.err()).contains("PermissionError").doesNotContain("Interrupted");
    }

    @Test
    void theEndOfTheCommandEndsTheInterception() {
        Running running = fixture.start(request -> waitFor(new CountDownLatch(1)), "/bin/sh", "-c", "id");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> running.interception().waiting() == 1);

        running.child().signalGroup(ProcessCalls.SIGKILL);
        running.finish();

        assertThat(running.interception().ended()).succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    void closingDeniesWhatWaitsAndWhatComes() {
        Running running = fixture.start(
                request -> waitFor(new CountDownLatch(1)), "/bin/sh", "-c", "/usr/bin/id; /usr/bin/id; echo $?");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> running.interception().waiting() == 1);

        running.interception().close();

        Outcome outcome = running.finish();
        assertThat(outcome.out()).isEqualTo("126\n");
        assertThat(outcome.err()).contains("Permission denied").contains("Function not implemented");
    }

    @Test
    void aForkBombOfQuestionsIsBoundedAndEnds() {
        Running running = fixture.start(
                request -> waitFor(new CountDownLatch(1)),
                "/bin/sh",
                "-c",
                "trap '' TERM; i=0; while [ $i -lt 300 ]; do id & i=$((i+1)); done; echo started; wait");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> running.interception().waiting() == 300);

        running.kill();

        assertThat(running.interception().ended()).succeedsWithin(Duration.ofSeconds(20));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> running.interception().waiting() == 0);
    }

    @Test
    void aPolicyThatFailsDenies() {
        Outcome outcome = fixture.shell(
                request -> {
                    throw new IllegalStateException("broken");
                },
                "id; echo $?");

        assertThat(outcome.out()).isEqualTo("126\n");
    }

    private static ExecDecision waitFor(CountDownLatch interrupted) {
        try {
            new CountDownLatch(1).await();
            return DENIED;
        } catch (InterruptedException e) {
            interrupted.countDown();
            return DENIED;
        }
    }

    private static void write(Running running, String text) {
        try (var arena = java.lang.foreign.Arena.ofShared()) {
            running.child().stdin().orElseThrow().write(arena.allocateFrom(text).asSlice(0, text.length()));
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
