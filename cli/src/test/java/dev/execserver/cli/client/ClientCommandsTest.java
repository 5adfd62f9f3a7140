package dev.execserver.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.execserver.cli.Console;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.client.error.ConnectFailedException;
import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.RequestFailedException.Details;
import dev.execserver.client.error.UnsupportedFeatureException;
import dev.execserver.client.process.ProcessEvent;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ClientCommandsTest {
    private static final ProcessEvent EXIT_7 = new ProcessEvent.Exited(9, 7, false, Optional.empty());
    private static final ProcessEvent CLOSED = new ProcessEvent.Closed(Optional.empty());

    private final FakeHost host = new FakeHost();
    private final FakeTerminal terminal = new FakeTerminal();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    @Test
    void runCopiesBothStreamsAndPassesTheExitCodeOn() {
        host.with(output(StreamKind.STDOUT, "to out"), output(StreamKind.STDERR, "to err"), EXIT_7, CLOSED);

        assertThat(run("--", "ls", "--url")).isEqualTo(7);

        assertThat(terminal.output).hasToString("to out");
        assertThat(terminal.errors).hasToString("to err");
        assertThat(host.request.argv()).containsExactly("ls", "--url");
        assertThat(host.target.url()).isEqualTo("ws://h:1");
        assertThat(err()).isEmpty();
        assertThat(host.calls).contains("close");
    }

    @Test
    void runForwardsTheInputAndItsEnd() throws Exception {
        terminal.input = new ByteArrayInputStream("input".getBytes(UTF_8));
        Thread ending = Thread.ofVirtual().start(() -> {
            await().until(() -> host.calls.contains("closeStdin"));
            host.with(EXIT_7, CLOSED);
        });

        assertThat(run("cat")).isEqualTo(7);
        ending.join();
        assertThat(host.stdin).hasToString("input");
    }

    @Test
    void anInputThatNobodyTakesIsNoError() throws Exception {
        terminal.input = new ByteArrayInputStream("input".getBytes(UTF_8));
        host.takesNoInput = true;
        Thread ending = Thread.ofVirtual().start(() -> {
            await().until(() -> host.stdinEnded.getCount() == 0);
            host.with(EXIT_7, CLOSED);
        });

        assertThat(run("true")).isEqualTo(7);
        ending.join();
        assertThat(err()).isEmpty();
    }

    @Test
    void runTakesItsOptionsUpToTheProgram() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), " secret\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        host.with(EXIT_7, CLOSED);

        run(
                "--env",
                "A=b=c",
                "--env",
                "B=",
                "--cwd",
                "/srv",
                "--timeout",
                "3s",
                "--session-ttl",
                "2m",
                "--verbose",
                "--token-file",
                token.toString(),
                "--ca-file",
                "/ca.pem",
                "ls",
                "--env",
                "C=d");

        assertThat(host.request)
                .isEqualTo(new RunRequest(
                        List.of("ls", "--env", "C=d"),
                        Optional.of("/srv"),
                        Map.of("A", "b=c", "B", ""),
                        false,
                        true,
                        Optional.empty(),
                        Optional.of(Duration.ofSeconds(3)),
                        Optional.empty(),
                        Optional.empty()));
        assertThat(host.target)
                .isEqualTo(new ServerTarget(
                        "ws://h:1",
                        Optional.of("secret"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(Path.of("/ca.pem")),
                        Optional.empty(),
                        false,
                        Optional.of(Duration.ofMinutes(2)),
                        Optional.empty()));
        assertThat(err()).isEqualTo("session the-session process run\n");
    }

    @Test
    void onATerminalTheProgramGetsOneOfTheSameSizeAndTerm() {
        terminal.terminal = true;
        host.with(EXIT_7, CLOSED);

        assertThat(run("top")).isEqualTo(7);

        assertThat(host.request.tty()).isTrue();
        assertThat(host.request.size()).contains(new WindowSize(30, 100));
        assertThat(host.request.environment()).isEqualTo(Map.of("TERM", "xterm-test"));
        assertThat(terminal.modes).containsExactly("raw", "restored");
    }

    @Test
    void aWindowThatChangesIsTold() throws Exception {
        terminal.terminal = true;
        Thread resizing = Thread.ofVirtual().start(() -> {
            await().until(() -> host.calls.contains("resize 100x30"));
            terminal.size = new WindowSize(40, 120);
            await().until(() -> host.calls.contains("resize 120x40"));
            host.with(EXIT_7, CLOSED);
        });

        assertThat(run("--tty", "top")).isEqualTo(7);
        resizing.join();
    }

    @Test
    void noTtyWinsOverATerminal() {
        terminal.terminal = true;
        host.with(EXIT_7, CLOSED);

        run("--no-tty", "ls");

        assertThat(host.request.tty()).isFalse();
        assertThat(terminal.modes).doesNotContain("raw");
    }

    @Test
    void whatIsWrittenWronglyIsAUsageError() {
        assertUsage("no program is named; write exec-server run [OPTIONS] [--] PROGRAM [ARGUMENT...]", "run");
        assertUsage("--tty and --no-tty exclude each other", "run", "--tty", "--no-tty", "ls");
        String expected = "NAME=VALUE, or NAME for the value that it has here";
        assertUsage("invalid value `=x` for --env; give " + expected, "run", "--env", "=x", "ls");
        assertUsage(
                "invalid value `5` for --timeout; give a number with ms, s, m or h, such as 30s",
                "run",
                "--timeout",
                "5",
                "ls");
        assertUsage("invalid value `xml` for --format; give table or json", "ps", "--format", "xml");
        assertUsage("give one PROCESS", "kill", "--session", "s", "a", "b");
        assertUsage(
                "--signal and --grace exclude each other",
                "kill",
                "--session",
                "s",
                "--signal",
                "INT",
                "--grace",
                "1s",
                "run");
    }

    @Test
    void withoutAServerNothingRuns() {
        Console console = new Console(new PrintStream(out), new PrintStream(err), Map.of());
        Arguments arguments = new Arguments(Map.of(), List.of("ls"));

        assertThatThrownBy(() -> new ClientRun(host::connect, terminal, console).run("run", arguments))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("no server is named; ");
    }

    @Test
    void failuresAreOneLineAndAStatus() {
        assertFailure(255, "refused", new ConnectFailedException("refused", OptionalInt.empty(), null));
        assertFailure(
                255,
                "ws://h:1 refuses: unknown session id s; it has ended: a session ends with its server, or its time to live "
                        + "after its last connection",
                new ConnectFailedException(
                        "ws://h:1 refuses: unknown session id s",
                        OptionalInt.empty(),
                        new RequestFailedException(
                                "", "", ErrorCodes.INVALID_REQUEST, "unknown session id s", Details.NONE)));
        assertFailure(
                255,
                "cannot connect to ws://h:1: Connection refused; does a server run there? It prints its URL when it starts: "
                        + "give that with --url or EXEC_SERVER_URL",
                new ConnectFailedException(
                        "cannot connect to ws://h:1: Connection refused",
                        OptionalInt.empty(),
                        new ConnectException("Connection refused")));
        assertFailure(255, "gone for good", new ConnectionLostException("gone\n  for good"));
        assertFailure(
                1, "program `x`: none", new RequestFailedException("m", "", -32600, "program `x`: none", Details.NONE));
        assertFailure(1, "the server does not have the feature `size`", new UnsupportedFeatureException("size"));
        assertFailure(
                255,
                "busy; --takeover takes the session and ends that client",
                new ConnectFailedException(
                        "busy",
                        OptionalInt.empty(),
                        new RequestFailedException("m", "", ErrorCodes.ALREADY_ATTACHED, "", Details.NONE)));
    }

    @Test
    void aLostConnectionIs255AndATimeLimitSaysSo() {
        host.with(new ProcessEvent.Lost("the session is gone"));
        assertThat(run("ls")).isEqualTo(255);
        assertThat(err())
                .isEqualTo("Error: the session is gone\n"
                        + "Should the program still run: exec-server attach the-session\n");

        err.reset();
        host.with(new ProcessEvent.Lost("the server does not know it any more", true));
        assertThat(run("ls")).isEqualTo(255);
        assertThat(err()).isEqualTo("Error: the server does not know it any more\n");

        err.reset();
        host.with(new ProcessEvent.Exited(1, 137, false, Optional.of("timeout")), CLOSED);
        assertThat(run("ls")).isEqualTo(137);
        assertThat(err()).isEqualTo("Error: the server has ended the program: timeout\n");
    }

    @Test
    void outputThatNobodyReadsEndsTheRemoteProgram() {
        terminal.output = failing("Broken pipe");
        host.with(output(StreamKind.STDOUT, "y"));

        assertThat(run("yes")).isEqualTo(141);
        assertThat(host.calls).contains("terminate");
    }

    @Test
    void psListsTheProcessesOfASession() {
        host.processes.add(process("run", OptionalInt.empty()));
        host.processes.add(process("b", OptionalInt.of(3)));

        assertThat(call("ps", "--session", "s")).isZero();

        assertThat(out.toString(UTF_8).lines())
                .hasSize(3)
                .anyMatch(line -> line.matches("run +17 running +.*  sleep 5"))
                .anyMatch(line -> line.matches("b +17 exited 3 +.*  sleep 5"));
        assertThat(host.target.session()).contains("s");
        assertThat(host.target.takeover()).isFalse();
    }

    @Test
    void c101_psShowsOneRowForOneProcessWhateverItIsCalled() {
        host.processes.add(process("evil\nx  1 exited 0 \u001b[2J", OptionalInt.empty()));

        assertThat(call("ps", "--session", "s")).isZero();

        assertThat(out.toString(UTF_8).lines())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("evil\\nx  1 exited 0 \\x1b[2J");
    }

    @Test
    void killKillsWaitsOrSignals() {
        host.processes.add(process("run", OptionalInt.empty()));

        assertThat(call("kill", "--session", "s", "run")).isZero();
        assertThat(call("kill", "run", "--session", "s", "--grace", "2s", "--takeover"))
                .isZero();
        assertThat(call("kill", "--session", "s", "--signal", "USR1", "run")).isZero();

        assertThat(host.calls)
                .filteredOn(call -> !call.startsWith("await"))
                .containsExactly("terminate run 0", "close", "terminate run 2000", "close", "signal run USR1", "close");
        assertThat(err()).isEqualTo("run has ended with status 137\n".repeat(2));
    }

    private int run(String... arguments) {
        String[] line = new String[arguments.length + 1];
        line[0] = "run";
        System.arraycopy(arguments, 0, line, 1, arguments.length);
        return call(line);
    }

    private int call(String... line) {
        return call(host::connect, line);
    }

    private int call(RemoteHost.Connector connector, String... line) {
        Console console = new Console(
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8),
                Map.of("EXEC_SERVER_URL", "ws://h:1", "TERM", "xterm-test", "OTHER", "x"));
        Usage usage = ClientRun.usage(line[0]);
        List<String> rest = List.of(line).subList(1, line.length);
        Arguments arguments = Arguments.read(usage, rest).orElseGet(() -> PicocliReading.of(usage, rest));
        return new ClientRun(connector, terminal, console).run(line[0], arguments);
    }

    private void assertUsage(String message, String... line) {
        assertThatThrownBy(() -> call(line))
                .isInstanceOfSatisfying(
                        ConfigException.class, e -> assertThat(e.kind()).isEqualTo(ConfigException.Kind.USAGE))
                .hasMessage(message);
    }

    private void assertFailure(int status, String message, RuntimeException failure) {
        err.reset();
        int actual = call(
                _ -> {
                    throw failure;
                },
                "run",
                "ls");
        assertThat(actual).isEqualTo(status);
        assertThat(err()).isEqualTo("Error: " + message + "\n");
    }

    private String err() {
        return err.toString(UTF_8);
    }

    private static OutputStream failing(String message) {
        return new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException(message);
            }
        };
    }

    private static ProcessEvent output(StreamKind stream, String text) {
        return new ProcessEvent.Output(new OutputChunk(1, stream, text.getBytes(UTF_8)));
    }

    private static ProcessInfo process(String id, OptionalInt exitCode) {
        boolean exited = exitCode.isPresent();
        return new ProcessInfo(
                id,
                OptionalLong.of(17),
                List.of("sleep", "5"),
                PathUri.ofNative("/"),
                true,
                !exited,
                false,
                exited,
                exitCode,
                exited,
                1,
                System.currentTimeMillis());
    }
}
