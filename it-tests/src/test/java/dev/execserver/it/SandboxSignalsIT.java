package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code exec-server sandbox}, started by its script, behaves like {@code env} with the same command. */
@Timeout(120)
class SandboxSignalsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String FOREVER = "while :; do sleep 0.05; done";

    @TempDir
    private Path directory;

    /** Its terminals serve as terminals of a user. */
    @RegisterExtension
    static final SharedServer TERMINALS = SharedServer.with();

    /** A build that runs in the background may ignore some signals. */
    private static Process start(String prefix, String script) throws IOException {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT,QUIT,HUP,TERM,USR1"));
        if (!prefix.isEmpty()) {
            command.addAll(List.of(prefix.split(" ")));
        }
        command.addAll(ServerCommand.script(List.of("sandbox", "--", "sh", "-c", "echo ready; " + script)));
        return new ProcessBuilder(command).start();
    }

    private static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    private static int status(Process process) throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "HUP", "QUIT", "TERM", "USR1", "WINCH"})
    @DisplayName("B40: each signal arrives as itself, its handler runs, and the exit code of the command is kept")
    void theHandlerOfTheSignalRuns(String name) throws Exception {
        Process process = start("", "trap 'echo got; exit 9' " + name + "; echo set; " + FOREVER);
        try (BufferedReader lines = process.inputReader()) {
            assertThat(lines.readLine()).isEqualTo("ready");
            assertThat(lines.readLine()).isEqualTo("set");
            signal(process, name);

            assertThat(lines.readLine()).isEqualTo("got");
            assertThat(status(process)).isEqualTo(9);
        }
    }

    @ParameterizedTest
    @CsvSource({"HUP,129", "INT,130", "QUIT,131", "USR1,138", "TERM,143"})
    @DisplayName("B40: a signal without a handler ends the command with 128 and its number")
    void theSignalEndsTheCommand(String name, int code) throws Exception {
        Process process = start("", "exec sleep 600");
        try (BufferedReader lines = process.inputReader()) {
            assertThat(lines.readLine()).isEqualTo("ready");
            signal(process, name);

            assertThat(status(process)).isEqualTo(code);
        }
    }

    @Test
    void aSignalThatIsIgnoredStaysIgnored() throws Exception {
        Process process = start("env --ignore-signal=HUP,INT", "grep SigIgn /proc/self/status; " + FOREVER);
        try (BufferedReader lines = process.inputReader()) {
            assertThat(lines.readLine()).isEqualTo("ready");
            assertThat(lines.readLine()).endsWith("0003");
            signal(process, "HUP");
            signal(process, "TERM");

            assertThat(status(process)).isEqualTo(143);
        }
    }

    private static RemoteProcess shell() {
        RemoteProcess shell = TERMINALS
                .client()
                .start(Start.of("bash", "--norc", "--noprofile")
                        .env("PS1", "> ")
                        .env("TERM", "dumb")
                        .env("PATH", System.getenv("PATH"))
                        .env("JAVA_HOME", System.getProperty("java.home"))
                        .tty());
        shell.awaitText("> ");
        return shell;
    }

    private static String job(String script) {
        return String.join(" ", ServerCommand.script(List.of("sandbox", "--", "sh", "-c", "'" + script + "'")));
    }

    private static void awaitText(RemoteProcess shell, String text) {
        await().atMost(PATIENCE).until(() -> shell.text().contains(text));
    }

    @Test
    void controlCReachesTheCommandOnce() {
        RemoteProcess shell = shell();
        shell.write(job("trap \"echo g''ot\" INT; echo re''ady; sleep 600; echo sl''ept; exit 7") + "; echo rc=$?\r");
        awaitText(shell, "ready");
        shell.write("\u0003");

        awaitText(shell, "rc=7");
        assertThat(shell.text().split("got", -1)).hasSize(2);
        assertThat(shell.text()).contains("slept");
        shell.terminate();
    }

    @Test
    void controlZStopsTheJobAndFgContinuesIt() throws IOException {
        Path go = directory.resolve("go");
        RemoteProcess shell = shell();
        shell.write(job("echo re\"\"ady; until [ -e " + go + " ]; do sleep 0.1; done; exit 5") + "; echo stopped=$?\r");
        awaitText(shell, "ready");
        shell.write("\u001a");
        awaitText(shell, "stopped=14");
        Files.createFile(go);
        shell.write("jobs; fg; echo rc=$?\r");

        awaitText(shell, "rc=5");
        assertThat(shell.text()).contains("Stopped");
        shell.terminate();
    }

    @Test
    void theCommandHasTheTerminal() {
        RemoteProcess shell = shell();
        shell.write(
                job("echo re\"\"ady; read line </dev/tty; echo from tty $line; exec 3>/dev/tty; echo to t\"\"ty >&3")
                        + "\r");
        awaitText(shell, "ready");
        shell.write("typed\r");

        awaitText(shell, "from tty typed");
        awaitText(shell, "to tty");
        shell.terminate();
    }
}
