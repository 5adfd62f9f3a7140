package dev.execserver.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.cli.Console;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.RequestFailedException.Details;
import dev.execserver.client.process.ProcessEvent;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of {@code run} as those of docker and ssh are typed. */
@Timeout(30)
class HabitsTest {
    private final FakeHost host = new FakeHost();
    private final FakeTerminal terminal = new FakeTerminal();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... line) {
        Console console = new Console(
                new PrintStream(OutputStream.nullOutputStream()),
                new PrintStream(err, true, UTF_8),
                Map.of("EXEC_SERVER_URL", "ws://h:1", "MINE", "here"));
        Arguments arguments = PicocliReading.of(RunCommand.USAGE, List.of(line));
        return new ClientRun(host::connect, terminal, console).run("run", arguments);
    }

    private RunRequest requested(String... line) {
        host.with(new ProcessEvent.Exited(1, 0, false, Optional.empty()), new ProcessEvent.Closed(Optional.empty()));
        assertThat(run(line)).isZero();
        return host.request;
    }

    @Test
    void shortOptionsMayStandTogether() {
        RunRequest request = requested("-it", "-e", "A=1", "-eB=2", "-w", "docs", "--", "ls", "-l");
        assertThat(request.tty()).isTrue();
        assertThat(request.input()).isTrue();
        assertThat(request.environment()).containsEntry("A", "1").containsEntry("B", "2");
        assertThat(request.cwd()).contains("docs");
        assertThat(request.argv()).containsExactly("ls", "-l");
    }

    @Test
    void aNameAloneTakesTheValueFromHereIfThereIsOne() {
        assertThat(requested("-e", "MINE", "-e", "NOT_HERE", "ls").environment())
                .containsEntry("MINE", "here")
                .doesNotContainKey("NOT_HERE");
    }

    @Test
    void withoutInputALoopKeepsItsOwn() {
        assertThat(requested("-n", "ls").input()).isFalse();
    }

    @Test
    void aShellGetsTheWordsAsOneLine() {
        assertThat(requested("--shell", "echo a;", "echo b").argv()).containsExactly("sh", "-c", "echo a; echo b");
    }

    @Test
    void anotherUserIsRefusedWithTheReason() {
        assertThatThrownBy(() -> run("-u", "root", "ls"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("every program runs as the user of the server");
    }

    @ParameterizedTest
    @CsvSource({"echo a; echo b, true", "ls -l, true", "cd, true", "nosuch, false"})
    void aLineForAShellGetsAHint(String program, boolean hinted) {
        host.refusal = new RequestFailedException(
                "process/start",
                "",
                -32603,
                "no",
                new Details(Optional.empty(), OptionalInt.of(2), Optional.of("program"), Optional.of(program)));
        assertThat(run(program)).isEqualTo(127);
        assertThat(err.toString(UTF_8))
                .isEqualTo(
                        hinted
                                ? "Error: no; a line for a shell is written: exec-server run --shell '...', or sh -c '...'\n"
                                : "Error: no\n");
        assertThat(List.of(program)).isEqualTo(host.request.argv());
    }
}
