package dev.execserver.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.cli.Console;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.RequestFailedException.Details;
import dev.execserver.client.process.ProcessEvent;
import dev.execserver.protocol.app.ProfileChoice;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults of servers, programs and outputs that {@code run} has to handle. */
@Timeout(30)
class RunFaultsTest {
    private static final ProcessEvent EXIT_7 = new ProcessEvent.Exited(9, 7, false, Optional.empty());
    private static final ProcessEvent CLOSED = new ProcessEvent.Closed(Optional.empty());

    private final FakeHost host = new FakeHost();
    private final FakeTerminal terminal = new FakeTerminal();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    @Test
    void outputThatCannotBeWrittenIsAFailureWithItsReason() {
        terminal.output = new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        host.with(new ProcessEvent.Output(new OutputChunk(1, StreamKind.STDOUT, "y".getBytes(UTF_8))));

        assertThat(run("yes")).isEqualTo(1);
        assertThat(err()).isEqualTo("Error: the output cannot be written: No space left on device (os error 28)\n");
        assertThat(host.calls).contains("terminate");
    }

    @Test
    void anInputThatCannotBeReadIsAFailureAndNoEnd() {
        terminal.input = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("Is a directory");
            }
        };
        host.untilTerminated(new ProcessEvent.Exited(1, 137, false, Optional.empty()), CLOSED);

        assertThat(run("cat")).isEqualTo(1);
        assertThat(err()).isEqualTo("Error: the input cannot be read: Is a directory (os error 21)\n");
        assertThat(host.calls).contains("terminate").doesNotContain("closeStdin");
    }

    @Test
    void c01_aJobInTheBackgroundReadsNothing() {
        terminal.foreground = false;
        terminal.input = new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("the kernel would stop this job");
            }
        };
        host.with(EXIT_7, CLOSED);

        assertThat(run("ls")).isEqualTo(7);
        assertThat(err()).isEmpty();
    }

    @Test
    void c01_theForegroundIsReadFromTheKernel() {
        assertThat(ForegroundJob.foreground("7 (a) b) S 1 7 5 34816 7 4194560 1"))
                .isTrue();
        assertThat(ForegroundJob.foreground("7 (java) S 1 7 5 34816 6 4194560 1"))
                .isFalse();
        assertThat(ForegroundJob.foreground("7 (java) S 1 7 5 0 -1 4194560 1")).isTrue();
    }

    @Test
    void theGapsOfTheOutputAreOneLineWithTheirNumber() {
        ProcessEvent gap = new ProcessEvent.Gap(1, 2, OptionalLong.empty());
        host.with(gap, gap, new ProcessEvent.Gap(4, 4, OptionalLong.of(7)), EXIT_7, CLOSED);
        assertThat(run("ls")).isEqualTo(7);
        assertThat(err()).isEqualTo("Error: 7 bytes of output and more are lost in 3 places\n");

        err.reset();
        host.with(gap, EXIT_7, CLOSED);
        assertThat(run("ls")).isEqualTo(7);
        assertThat(err()).isEqualTo("Error: some output is lost\n");
    }

    @Test
    void linesOfAnotherTerminalGetNoSecondCarriageReturn() {
        byte[] lines = "xhi\r\nh\ro\r\n\r".getBytes(UTF_8);
        assertThat(new String(JobOutput.withoutReturns(lines, 1, lines.length - 1), UTF_8))
                .isEqualTo("hi\nh\ro\n\r");
    }

    @Test
    void aServerThatCannotBeToldTheEndOfTheInputGetsNone() {
        host.takesEndOfInput = false;
        assertThatThrownBy(() -> run("cat"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("the server cannot be told where the input ends, because it lacks process/closeStdin (an "
                        + "exec-server has it with --protocol open); run it with </dev/null, so that the program gets no "
                        + "input");
        assertThat(host.request).isNull();

        terminal.nothing = true;
        host.with(EXIT_7, CLOSED);
        assertThat(run("ls")).isEqualTo(7);
        assertThat(host.request.input()).isFalse();
        assertThat(err()).isEmpty();

        terminal.terminal = true;
        host.with(EXIT_7, CLOSED);
        assertThat(run("--no-tty", "ls")).isEqualTo(7);
        assertThat(host.request.input()).isFalse();
        assertThat(err()).startsWith("the program gets no input: ");
        assertThat(host.calls).doesNotContain("closeStdin");
    }

    @ParameterizedTest
    @CsvSource({
        "program, 2, 127",
        "program, 13, 126",
        "program, 8, 126",
        "interpreter, 2, 126",
        "cwd, 2, 1",
        "terminal, 28, 1",
    })
    void aProgramThatCannotBeStartedHasTheStatusOfAShell(String what, int errno, int status) {
        Details details =
                new Details(Optional.empty(), OptionalInt.of(errno), Optional.of(what), Optional.of("nosuch"));
        host.refusal = new RequestFailedException("process/start", "", -32603, what + " `nosuch`: no", details);

        assertThat(run("nosuch")).isEqualTo(status);
        assertThat(err()).isEqualTo("Error: " + what + " `nosuch`: no\n");
        assertThat(host.calls).contains("end session");
    }

    @Test
    void withoutDetailsAProgramThatIsMissingIsStill127() {
        host.refusal = new RequestFailedException(
                "process/start", "", -32603, "No such file or directory (os error 2)", Details.NONE);

        assertThat(run("nosuch")).isEqualTo(127);
        assertThat(run("--cwd", "/none", "ls")).isEqualTo(1);
    }

    @Test
    void theProfileOfTheSandboxIsTextAFileOrAName() throws Exception {
        String json = "{\"type\":\"managed\",\"network\":\"restricted\",\"file_system\":{\"type\":\"unrestricted\"}}";
        Path file = Files.writeString(directory.resolve("profile.json"), json);
        host.with(EXIT_7, CLOSED);
        assertThat(run("--profile", json, "ls")).isEqualTo(7);
        ProfileChoice given = host.request.profile().orElseThrow();
        assertThat(given).isInstanceOf(ProfileChoice.Given.class);

        host.with(EXIT_7, CLOSED);
        assertThat(run("--profile", file.toString(), "ls")).isEqualTo(7);
        assertThat(host.request.profile()).contains(given);

        host.with(EXIT_7, CLOSED);
        assertThat(run("--profile", ":workspace", "ls")).isEqualTo(7);
        assertThat(host.request.profile()).contains(new ProfileChoice.Named(":workspace"));

        assertThatThrownBy(() -> run("--profile", "/none", "ls"))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "the permission profile of --profile /none cannot be read: No such file or directory (os error "
                                + "2); give a JSON object, or a file with one");
    }

    @Test
    void aServerThatAsksForASandboxIsSaidWithTheOption() {
        Details floor =
                new Details(Optional.of("sandboxFloor"), OptionalInt.empty(), Optional.empty(), Optional.empty());
        host.refusal = new RequestFailedException("process/start", "", -32602, "send a managed profile", floor);

        assertThat(run("ls")).isEqualTo(1);
        assertThat(err()).isEqualTo("Error: send a managed profile; --profile gives one\n");
    }

    @Test
    void aProgramOfAServerThatEndsWithThisCommandIsNotSaidToGoOn() {
        host.with(new ProcessEvent.Lost("ssh has ended"));

        assertThat(run("--url", "ssh:h", "ls")).isEqualTo(255);
        assertThat(err()).isEqualTo("Error: ssh has ended\n");
    }

    private int run(String... line) {
        Console console = new Console(
                new PrintStream(OutputStream.nullOutputStream()),
                new PrintStream(err, true, UTF_8),
                Map.of("EXEC_SERVER_URL", "ws://h:1"));
        Arguments arguments = Arguments.read(RunCommand.USAGE, List.of(line)).orElseThrow();
        return new ClientRun(host::connect, terminal, console).run("run", arguments);
    }

    private String err() {
        return err.toString(UTF_8);
    }
}
