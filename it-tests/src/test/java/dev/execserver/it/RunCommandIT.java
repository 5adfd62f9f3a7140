package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.Program;
import dev.execserver.it.support.SharedServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The client commands of the packaged program against the packaged server. */
@Timeout(120)
class RunCommandIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    @Test
    void theExitCodeAndBothStreamsComeBack() {
        assertThat(run("", "--", "sh", "-c", "echo to out; echo to err >&2; exit 7"))
                .isEqualTo(new Program(7, "to out\n", "to err\n"));
    }

    @Test
    void theInputAndItsEndGoThere() {
        assertThat(run("line 1\nline 2", "cat")).isEqualTo(new Program(0, "line 1\nline 2", ""));
    }

    @Test
    void muchInputAndOutputArrivesWhole() {
        String text = "0123456789abcde\n".repeat(200_000);

        assertThat(run(text, "cat").out()).isEqualTo(text);
    }

    @Test
    void environmentAndWorkingDirectoryAreAsAskedFor() {
        Program program = run(
                "",
                "--cwd",
                "/usr",
                "--env",
                "A=b=c",
                "--env",
                "B=d",
                "--",
                "sh",
                "-c",
                "pwd; echo $A $B; test -n \"$PATH\"");

        assertThat(program).isEqualTo(new Program(0, "/usr\nb=c d\n", ""));
    }

    @Test
    void withoutTheOptionTheWorkingDirectoryIsThatOfTheServer() {
        assertThat(run("", "pwd").out()).isEqualTo(Path.of("").toAbsolutePath() + "\n");
    }

    @Test
    void aTerminalIsThereWhenItIsAskedFor() {
        assertThat(run("", "--tty", "--", "sh", "-c", "test -t 0 && test -t 1 && echo terminal"))
                .isEqualTo(new Program(0, "terminal\r\n", ""));
    }

    @Test
    void failuresAreOneLineAndAStatus() {
        assertThat(run("", "/nowhere/program"))
                .isEqualTo(new Program(
                        127, "", "Error: program `/nowhere/program`: No such file or directory (os error 2)\n"));
        assertThat(Program.run(directory, "", "run", "--url", "ws://127.0.0.1:1", "true"))
                .isEqualTo(new Program(
                        255,
                        "",
                        "Error: cannot connect to ws://127.0.0.1:1: Connection refused; does a server run there? It prints its "
                                + "URL when it starts: give that with --url or EXEC_SERVER_URL\n"));
        assertThat(run("", "--timeout", "300ms", "sleep", "60"))
                .isEqualTo(new Program(137, "", "Error: the server has ended the program: timeout\n"));
        assertThat(run("", "--bogus", "true").status()).isEqualTo(2);
    }

    @Test
    void theHelpOfACommandIsAboutThatCommand() {
        for (String command : List.of("run", "ps", "kill", "attach", "cp", "sandbox", "doctor", "schema")) {
            Program help = Program.run(directory, "", command, "--help");
            assertThat(help.status()).isZero();
            assertThat(help.out())
                    .startsWith("Usage: exec-server " + command + " [OPTIONS]")
                    .contains("Exit status: ")
                    .doesNotContain("of the properties file", "SIGTERM; 1");
            Program wrong = Program.run(directory, "", command, "--bogus");
            assertThat(wrong.status()).isEqualTo(2);
            assertThat(wrong.err())
                    .isEqualTo("Error: unknown option `--bogus`\nTry `exec-server " + command + " --help`.\n");
        }
        assertThat(Program.run(directory, "", "sandbox").err()).startsWith("Error: no command is named");
    }

    @Test
    void aFinishedRunLeavesNoSessionButTheDaemonsThatItStarted() {
        String mark = UUID.randomUUID().toString();
        Program.Running running = start(
                "--verbose",
                "--env",
                "MARK=" + mark,
                "--",
                "sh",
                "-c",
                "setsid sleep 50 >/dev/null 2>&1 </dev/null & exit 0");
        running.endInput();
        Program ended = running.end();
        assertThat(ended.status()).isZero();
        String session = ended.err().split(" ")[1];

        assertThat(onSession("ps", session).err()).contains("unknown session id " + session);
        assertThat(ProcFs.marked(mark)).hasSize(1);
        ProcFs.marked(mark).forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    @Test
    void sigintInterruptsTheRemoteProgramAndItsExitCodeCounts() {
        Program.Running running =
                start("sh", "-c", "trap 'echo last words; exit 9' INT; echo ready; while :; do sleep 0.05; done");
        await().atMost(LIMIT).until(() -> running.out().contains("ready"));

        running.signal("INT");

        assertThat(running.end()).isEqualTo(new Program(9, "ready\nlast words\n", ""));
    }

    @Test
    void aProgramWhoseClientWasKilledIsListedAttachedToAndKilled() {
        Program.Running first = start("--verbose", "--", "sh", "-c", "echo early; cat; exit 4");
        await().atMost(LIMIT).until(() -> first.out().contains("early"));
        String session = first.err().split(" ")[1];
        first.signal("KILL");
        assertThat(first.end().status()).isEqualTo(137);

        assertThat(onSession("ps", session).out()).containsPattern("run +[0-9]+ running .* sh -c echo early");
        Program.Running second = Program.start(
                directory, "attach", "--url", SERVER.process().url().toString(), "--session", session, "run");
        second.type("typed later\n");
        await().atMost(LIMIT).until(() -> second.out().equals("early\ntyped later\n"));

        assertThat(onSession("ps", session, "--takeover").status()).isZero();
        assertThat(second.end().status()).isEqualTo(255);
        assertThat(onSession("kill", session, "run")).isEqualTo(new Program(0, "", "run has ended with status 137\n"));
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(onSession("ps", session).out()).contains("exited 137"));
        assertThat(onSession("kill", session, "nobody"))
                .isEqualTo(new Program(1, "", "Error: the session has no process `nobody`\n"));
    }

    private Program run(String input, String... arguments) {
        Program.Running running = start(arguments);
        running.type(input);
        running.endInput();
        return running.end();
    }

    private Program.Running start(String... arguments) {
        return Program.start(directory, line("run", arguments));
    }

    private Program onSession(String command, String session, String... arguments) {
        List<String> line = new ArrayList<>(List.of("--session", session));
        line.addAll(List.of(arguments));
        return Program.run(directory, "", line(command, line.toArray(String[]::new)));
    }

    private static String[] line(String command, String... arguments) {
        List<String> line =
                new ArrayList<>(List.of(command, "--url", SERVER.process().url().toString()));
        line.addAll(List.of(arguments));
        return line.toArray(String[]::new);
    }
}
