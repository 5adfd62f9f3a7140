package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Program;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code exec-server sandbox} with rules for the programs that the command executes. */
@Timeout(120)
class SandboxRulesIT {
    /** It gives a command a terminal. */
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final String ASKED = "[a]lways: ";

    @TempDir
    private Path directory;

    private List<String> line(String rules, String... arguments) throws IOException {
        Path file = Files.writeString(directory.resolve("my.rules"), rules);
        List<String> line = new ArrayList<>(List.of("sandbox", "--exec-rules", file.toString()));
        line.addAll(List.of(arguments));
        return line;
    }

    private Program run(String rules, String... arguments) throws IOException {
        return Program.run(directory, "", line(rules, arguments).toArray(String[]::new));
    }

    private RemoteProcess onTerminal(String rules, String... arguments) throws IOException {
        String[] command = ServerCommand.of(line(rules, arguments)).toArray(String[]::new);
        return SERVER.client().start(Start.of(command).tty());
    }

    @Test
    void theRulesOfAFileHold() throws IOException {
        Program program =
                run("prefix_rule(['id'], 'forbidden')", "--", "sh", "-c", "env id; echo $?; env true; echo $?");

        assertThat(program).isEqualTo(new Program(0, "126\n0\n", "Execution denied: /usr/bin/id: a rule forbids it\n"));
    }

    @Test
    void theOwnProgramOfTheCommandHasThem() throws IOException {
        Program program = run("prefix_rule(['id'], 'forbidden', justification='no ids')", "--", "id");

        assertThat(program).isEqualTo(new Program(126, "", "Error: Execution denied: /usr/bin/id: no ids\n"));
    }

    @Test
    void withoutATerminalWhatIsAskedAboutIsDenied() throws IOException {
        Program program = run("prefix_rule(['id'], 'prompt')", "--", "sh", "-c", "env id; echo $?");

        assertThat(program)
                .isEqualTo(new Program(0, "126\n", "Execution denied: /usr/bin/id: there is no terminal to ask on\n"));
    }

    @Test
    void aFileThatIsNoRulesFileIsRefusedBeforeAnythingRuns() throws IOException {
        Program program = run("prefix_rule([])", "--", "true");

        assertThat(program.status()).isEqualTo(1);
        assertThat(program.err()).contains("failed to parse policy at", "my.rules:1:1", "pattern cannot be empty");
    }

    @Test
    void theTraceShowsWhatWasExecuted() throws IOException {
        Program program =
                run("prefix_rule(['id'], 'forbidden')", "--trace-exec", "--", "sh", "-c", "env true; id; exit 3");

        assertThat(program.status()).isEqualTo(3);
        assertThat(program.err().lines().map(line -> line.replaceFirst("^ *[0-9]+\\.[0-9]+ ", "")))
                .contains(
                        "  /usr/bin/env true",
                        "  /usr/bin/true",
                        "  /usr/bin/id  [deny by rule " + directory.resolve("my.rules") + ":1, exit 126]");
    }

    @Test
    void questionsAreAskedOnTheTerminalOfTheCommand() throws IOException {
        RemoteProcess process = onTerminal(
                "prefix_rule(['id'], 'prompt')",
                "--",
                "sh",
                "-c",
                "id -u; id -g; echo $?; stty -a | grep -c ' icanon'; read line; echo \"got $line\"");
        process.awaitText(ASKED);
        assertThat(process.text()).contains("run /usr/bin/id -u in ", ", sandboxed?");
        process.write("y");
        process.awaitText("id -g in ");
        process.write("\u0003"); // Ctrl-C, which answers the question and ends nothing
        process.awaitText("you have said no\r\n126\r\n1\r\n");
        process.write("typed\r");

        process.closed();
        assertThat(process.text()).contains("got typed");
    }

    @Test
    void aJobOfAnInteractiveShellIsAskedAboutAndTheShellGoesOn() throws IOException {
        RemoteProcess process = onTerminal(
                "prefix_rule(['id'], 'prompt')",
                "--",
                "bash",
                "--norc",
                "-i",
                "-c",
                "set -m; id -u; id -g & wait; echo end");
        process.awaitText(ASKED);
        process.write("a");
        process.awaitText("0\r\n");
        process.awaitText("because the program is in the background");

        process.awaitText("end");
        assertThat(process.exited().exitCode()).isZero();
    }
}
