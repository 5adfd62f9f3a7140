package dev.execserver.sandbox.intercept;

import static dev.execserver.sandbox.intercept.InterceptFixture.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.intercept.InterceptFixture.Outcome;
import dev.execserver.sandbox.intercept.InterceptFixture.Running;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EscalationTest {
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

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a script whose program {@code bash} is escalated. */
    private Outcome run(String script) {
        return fixture.shell(answer("bash", fixture.escalate()), script);
    }

    @Test
    void anEscalatedProgramHasNoFilter() {
        Outcome outcome = run("bash -c 'grep -e NoNewPrivs -e Seccomp: /proc/self/status'");

        assertThat(outcome.out()).doesNotContain("2");
        assertThat(outcome.asked()).containsExactly("bash");
    }

    @Test
    void descriptorsDirectoryUmaskLimitsAndPriorityAreTheCallers() {
        String state = "pwd; umask; ulimit -n; ulimit -Hn; ulimit -c; nice; echo $0; echo five >&5";

        Outcome outcome = run(
                "cd " + directory + "; umask 027; ulimit -Sn 77; ulimit -Hn 99; ulimit -c 0; exec 5>&1 7</dev/null; "
                        + "exec nice -n 3 bash -c '" + state + "' named");

        assertThat(outcome.out()).isEqualTo(directory + "\n0027\n77\n99\n0\n3\nnamed\nfive\n");
    }

    @Test
    void aNetworkSocketStaysInside() {
        String script = "import os, socket; s = socket.socket(); u = socket.socketpair(); "
                + "os.dup2(s.fileno(), 8); os.dup2(u[0].fileno(), 9); "
                + "os.execvp('bash', ['bash', '-c', '[ -e /proc/self/fd/8 ] && echo 8; [ -e /proc/self/fd/9 ] && echo 9'])";

        Outcome outcome = run("exec python3 -c \"" + script + "\"");

        assertThat(outcome.out()).isEqualTo("9\n");
    }

    @Test
    void nothingElseLeaksEitherWay() {
        Outcome outcome =
                run("exec 7</dev/null; bash -c 'for f in /proc/$$/fd/*; do [ -e $f ] && echo ${f##*/}; done'");

        assertThat(outcome.out().lines()).contains("0", "1", "2", "7").hasSize(4 + leftByBash(outcome));
    }

    /** Bash reads its script from no descriptor here, but keeps 255 for a terminal. */
    private static int leftByBash(Outcome outcome) {
        return outcome.out().contains("255") ? 1 : 0;
    }

    @Test
    void ignoredSignalsStayIgnored() {
        Outcome outcome = run("trap '' HUP USR1; bash -c 'kill -HUP $$; kill -USR1 $$; echo alive'");

        assertThat(outcome.out()).isEqualTo("alive\n");
    }

    @Test
    void exitCodesAndSignalsAreThoseOfTheProgram() {
        Outcome outcome =
                run("bash -c 'exit 42'; echo $?; bash -c 'kill -TERM $$'; echo $?; bash -c 'kill -KILL $$'; echo $?;"
                        + " ulimit -c 0; bash -c 'kill -SEGV $$'; echo $?");

        assertThat(outcome.out()).isEqualTo("42\n143\n137\n139\n");
    }

    @Test
    void aTaskThatIgnoresTheSignalEndsWithItsNumber() {
        Outcome outcome =
                run("trap '' PIPE; bash -c 'exec env --default-signal=PIPE bash -c \"kill -PIPE \\$\\$\"'; echo $?");

        assertThat(outcome.out()).isEqualTo("141\n");
    }

    @Test
    void environmentCannotReachIntoTheProgram() {
        Outcome outcome = run(
                "echo 'echo foreign code' > " + directory + "/rc; BASH_ENV=" + directory
                        + "/rc LD_PRELOAD=/nosuch.so NO_COLOR=1 bash -c 'echo $NO_COLOR ${BASH_ENV-unset} ${LD_PRELOAD-unset}'");

        assertThat(outcome.out()).isEqualTo("1 unset unset\n");
    }

    @Test
    void aProgramThatIsFoundExchangedRightBeforeItsStartIsNotExecuted() {
        Runnable exchanged = () -> {
            throw new EscalationRefusedException("it was exchanged");
        };
        ExecDecision escalate = new ExecDecision.Escalate(TrustedEnvironment.standard(), fixture.unconfined, exchanged);

        Outcome outcome = fixture.shell(answer("bash", escalate), "bash -c 'echo ran'; echo $?");

        assertThat(outcome.out()).isEqualTo("126\n");
        assertThat(outcome.err()).contains("it was exchanged");
    }

    @Test
    void theEndOfTheTaskEndsTheProgram() {
        Path pid = directory.resolve("pid");
        Running running = fixture.start(
                answer("bash", fixture.escalate()),
                "/bin/sh",
                "-c",
                "bash -c 'echo $$ > " + pid + "; while :; do sleep 0.1; done'; true");
        await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(pid) && Files.size(pid) > 1);
        int escalated = Integer.parseInt(read(pid));
        assertThat(ProcessCalls.kill(escalated, 0)).isTrue();

        running.kill();

        await().atMost(Duration.ofSeconds(20)).until(() -> !ProcessCalls.kill(escalated, 0));
    }

    @Test
    void theSignalThatEndsTheTaskIsTheOneThatTheProgramGets() {
        Path got = directory.resolve("got");
        String script = "trap \"echo INT > " + got + "; exit\" INT; trap \"echo TERM > " + got
                + "; exit\" TERM; echo ready; while :; do sleep 0.1; done";
        Running running =
                fixture.start(answer("bash", fixture.escalate()), "/bin/sh", "-c", "exec bash -c '" + script + "'");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> running.child().stdout().backlog() > 0);

        running.child().signalGroup(ProcessCalls.SIGINT);

        await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(got) && Files.size(got) > 0);
        // Linux tells since 6.15 what has ended a process.
        assertThat(read(got)).isIn("INT", "TERM");
        assertThat(running.finish().status().signal()).isEqualTo(ProcessCalls.SIGINT);
    }

    @Test
    void signalsOfTheTaskReachTheProgram() {
        Path ready = directory.resolve("ready");
        // The task catches the signal, so it keeps waiting for the program.
        String script = "import os, signal, subprocess; signal.signal(signal.SIGUSR1, lambda *a: None);"
                + "os.execv('/bin/bash', ['bash', '-c', 'trap \"echo got; exit 5\" USR1; > " + ready
                + "; while :; do sleep 0.1; done'])";
        Running running = fixture.start(answer("bash", fixture.escalate()), "/usr/bin/python3", "-c", script);
        await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(ready));

        running.child().signal(10);

        Outcome outcome = running.finish();
        assertThat(outcome.out()).isEqualTo("got\n");
        assertThat(outcome.status().code()).isEqualTo(5);
    }
}
