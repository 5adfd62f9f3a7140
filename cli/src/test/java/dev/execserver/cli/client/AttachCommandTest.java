package dev.execserver.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.cli.Console;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.client.process.ProcessEvent;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.process.StreamKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Attaching to a program of another client, which goes on whatever happens to this one. */
@Timeout(30)
class AttachCommandTest {
    private static final ProcessInfo RUNNING = new ProcessInfo(
            "run",
            OptionalLong.of(17),
            List.of("sleep", "5"),
            PathUri.ofNative("/"),
            true,
            true,
            false,
            false,
            OptionalInt.empty(),
            false,
            1,
            System.currentTimeMillis());
    private static final ProcessEvent OUTPUT =
            new ProcessEvent.Output(new OutputChunk(1, StreamKind.STDOUT, "y".getBytes(UTF_8)));

    private final FakeHost host = new FakeHost();
    private final FakeTerminal terminal = new FakeTerminal();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void outputOfAttachThatNobodyReadsLeavesTheProgramRunning() {
        host.processes.add(RUNNING);
        host.with(OUTPUT);
        terminal.output = failing("Broken pipe");

        assertThat(attach("run")).isEqualTo(141);
        assertThat(err()).isEmpty();
        assertThat(host.calls).contains("detach").doesNotContain("terminate", "end session");
    }

    @Test
    void outputOfAttachThatCannotBeWrittenLeavesTheProgramRunning() {
        host.processes.add(RUNNING);
        host.with(OUTPUT);
        terminal.output = failing("No space left on device");

        assertThat(attach("run")).isEqualTo(1);
        assertThat(err()).isEqualTo("Error: the output cannot be written: No space left on device (os error 28)\n");
        assertThat(host.calls).contains("detach").doesNotContain("terminate", "end session");
    }

    @Test
    void attachTakesTheSessionOverAndLeavesAtTheKey() throws Exception {
        host.processes.add(RUNNING);
        terminal.terminal = true;
        terminal.input = new ByteArrayInputStream("ls\n\u001ddmore".getBytes(UTF_8));

        assertThat(attach("run")).isZero();

        assertThat(host.target.takeover()).isTrue();
        assertThat(host.stdin).hasToString("ls\n");
        assertThat(host.calls).contains("attach run", "detach").doesNotContain("terminate", "closeStdin");
        assertThat(terminal.modes).startsWith("raw").endsWith("restored");
        assertThat(err()).isEmpty();
    }

    @Test
    void attachToNothingIsAFailure() {
        assertThatThrownBy(() -> attach("nobody"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("the session has no process `nobody`");
    }

    private int attach(String processId) {
        Console console = new Console(
                new PrintStream(OutputStream.nullOutputStream()),
                new PrintStream(err, true, UTF_8),
                Map.of("EXEC_SERVER_URL", "ws://h:1"));
        Arguments arguments = Arguments.read(AttachCommand.USAGE, List.of("--session", "s", "--takeover", processId))
                .orElseThrow();
        return new ClientRun(host::connect, terminal, console).run("attach", arguments);
    }

    private static OutputStream failing(String message) {
        return new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException(message);
            }
        };
    }

    private String err() {
        return err.toString(UTF_8);
    }
}
