package dev.execserver.it.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.ServerCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example clients in docs/examples print what docs/command-exec.md promises. */
@Timeout(120)
class CommandExamplesIT {
    private static final Path EXAMPLES =
            Path.of(System.getProperty("exec.server.repository", ".."), "docs", "examples");

    @ParameterizedTest
    @CsvSource({"python3, command_exec.py", "node, command-exec.mjs"})
    void theExampleRuns(String interpreter, String file) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(interpreter, EXAMPLES.resolve(file).toString()));
        command.addAll(ServerCommand.of(List.of()));
        Process process = new ProcessBuilder(command).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(out.lines()).containsExactly("3 buffered", "stdout streamed", "0");
    }
}
