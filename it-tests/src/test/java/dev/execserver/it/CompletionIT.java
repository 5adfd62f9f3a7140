package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Completion of the command line; bash is asked as it asks itself. */
@Timeout(120)
class CompletionIT {
    @TempDir
    private Path directory;

    private String completed(Path script, String... words) throws Exception {
        String bash =
                "source '%s'; COMP_WORDS=(exec-server %s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _exec_server; echo ${COMPREPLY[*]}"
                        .formatted(script, String.join(" ", words));
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", bash)
                .directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().put("XDG_CONFIG_HOME", directory.toString());
        Process process = builder.start();
        return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    }

    @Test
    void bashCompletesCommandsOptionsServersAndFiles() throws Exception {
        Program made = Program.run(directory, "", "completion", "bash");
        assertThat(made.status()).isZero();
        Path script = Files.writeString(directory.resolve("script"), made.out());
        Files.createDirectories(directory.resolve("exec-server"));
        Files.writeString(directory.resolve("exec-server/config"), "[build1]\nurl = x\n[box]\nurl = y\n");

        assertThat(completed(script, "at")).isEqualTo("attach");
        assertThat(completed(script, "''")).contains("run", "serve", "completion");
        assertThat(completed(script, "run", "--det")).isEqualTo("--detach");
        assertThat(completed(script, "run", "-H", "b")).isEqualTo("build1 box");
        assertThat(completed(script, "run", "--token-file", "scr")).isEqualTo("script");
        assertThat(completed(script, "run", "--tty", "--no-t")).isEqualTo("--no-tty");
        assertThat(completed(script, "--liste")).isEqualTo("--listen");
    }

    @Test
    void aNameOfAServerRunsNothingAndIsTakenAsItIs() throws Exception {
        Path script = Files.writeString(
                directory.resolve("script"),
                Program.run(directory, "", "completion", "bash").out());
        Files.createDirectories(directory.resolve("exec-server"));
        Files.writeString(directory.resolve("exec-server/config"), """
                [$(touch ran)]
                [`touch ran`]
                [${x:-$(touch ran)}]
                ["; touch ran; "]
                [a[$(touch ran)]]
                [*]
                [~]
                []
                [box_1.a-b]
                  [indented]
                url = [no]
                [last]""");

        assertThat(completed(script, "run", "-H", "''")).isEqualTo("box_1.a-b indented last");
        assertThat(completed(script, "run", "--server", "'$'")).isEmpty();
        assertThat(completed(script, "run", "-H", "'*'")).isEmpty();
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    void otherShellsGetOneToo() {
        assertThat(Program.run(directory, "", "completion", "zsh").out()).contains("bashcompinit", "_exec_server()");
        assertThat(Program.run(directory, "", "completion", "fish").out())
                .contains("-n '__fish_seen_subcommand_from run' -s d -l detach -d 'Start the program");
        assertThat(Program.run(directory, "", "completion").status()).isEqualTo(2);
    }
}
