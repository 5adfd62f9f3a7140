package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Program;
import dev.execserver.it.support.SharedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code exec-server run} with rules for the programs that the program executes. */
@Timeout(120)
class RunRulesIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir
    private Path directory;

    private Program run(String rules, String... arguments) throws IOException {
        Path file = Files.writeString(directory.resolve("my.rules"), rules);
        List<String> line = new ArrayList<>(
                List.of("run", "--url", "ws://127.0.0.1:" + SERVER.port(), "--exec-rules", file.toString()));
        line.addAll(List.of(arguments));
        return Program.run(directory, "", line.toArray(String[]::new));
    }

    @Test
    void theRulesOfAFileHold() throws IOException {
        Program program = run("prefix_rule(['id'], 'forbidden')", "sh", "-c", "env id; echo $?; env true; echo $?");

        assertThat(program).isEqualTo(new Program(0, "126\n0\n", "Execution denied: /usr/bin/id: a rule forbids it\n"));
    }

    @Test
    void withoutATerminalWhatIsAskedAboutIsDenied() throws IOException {
        Program program = run("prefix_rule(['id'], 'prompt')", "sh", "-c", "env id; echo $?");

        assertThat(program)
                .isEqualTo(new Program(0, "126\n", "Execution denied: /usr/bin/id: there is no terminal to ask on\n"));
    }

    @Test
    void aFileThatIsNoRulesFileIsRefusedBeforeAnythingRuns() throws IOException {
        Program program = run("prefix_rule([])", "true");

        assertThat(program.status()).isEqualTo(1);
        assertThat(program.err()).contains("failed to parse policy at", "my.rules:1:1", "pattern cannot be empty");
    }

    @Test
    void theTraceShowsWhatWasExecuted() throws IOException {
        Program program = run(
                "prefix_rule(['id'], 'forbidden')", "--trace-exec", "sh", "-c", "env true; id; sh -c 'env true; :'; :");

        String rule = directory.resolve("my.rules") + ":1";
        assertThat(program.err().lines().map(line -> line.replaceFirst("^ *[0-9]+\\.[0-9]+ ", "")))
                .anyMatch(line -> line.matches("/usr/bin/\\w*sh -c env true; id; sh -c 'env true; :'; :"))
                .contains("  /usr/bin/env true", "  /usr/bin/true")
                .contains("  /usr/bin/id  [deny by rule " + rule + ", exit 126]")
                .contains("    /usr/bin/env true", "    /usr/bin/true");
    }
}
