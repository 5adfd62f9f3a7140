package dev.execserver.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.cli.Console;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.text.VisibleText;
import dev.execserver.server.config.ConfigLoader;
import dev.execserver.server.config.LogLevel;
import dev.execserver.server.config.Option;
import dev.execserver.server.config.Options;
import dev.execserver.server.config.ServerConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class ProgramTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final AtomicReference<ServerConfig> started = new AtomicReference<>();
    private final InputStream stdin = System.in;

    /**
     * Replaces standard input, because one switch makes the server read it, and that of this JVM belongs to the test
     * runner.
     */
    @BeforeEach
    void emptyInput() {
        System.setIn(InputStream.nullInputStream());
    }

    @AfterEach
    void ownInput() {
        System.setIn(stdin);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--listen ws://127.0.0.1:9", "serve --listen ws://127.0.0.1:9", "serve --listen=ws://127.0.0.1:9"
            })
    void servesWithAndWithoutNamingTheCommandAndPrintsOnlyTheUrl(String line) {
        assertThat(run(line)).isZero();

        assertThat(started.get().listen().url()).hasToString("ws://127.0.0.1:9");
        assertThat(out()).isEqualTo("ws://127.0.0.1:4711\n");
        assertThat(err()).isEmpty();
    }

    @Test
    void stdioPrintsNothingOfItsOwn() {
        assertThat(run("--listen stdio")).isZero();

        assertThat(out()).isEmpty();
        assertThat(err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "--exit-on-stdin-close, true",
        "--exit-on-stdin-close=on, true",
        "--exit-on-stdin-close on, true",
        "--exit-on-stdin-close true --pty ffm, true",
        "--exit-on-stdin-close --pty ffm, true",
        "--exit-on-stdin-close=off, false",
        "--exit-on-stdin-close=false, false",
        "--exit-on-stdin-close off, false",
    })
    void aSwitchIsReadTheSameWhereverItStands(String line, boolean on) {
        assertThat(run(line)).isZero();

        assertThat(started.get().listen().exitOnStdinClose()).isEqualTo(on);
    }

    @Test
    void everySwitchMayBeNamedAlone() {
        assertThat(run("--origin-guard --guardian off")).isZero();

        assertThat(started.get().listen().originGuard()).isTrue();
        assertThat(started.get().platform().guardian()).isFalse();
    }

    @Test
    void aVariableThatIsMisspelledIsSaid() {
        assertThat(ConfigLoader.misspelled(Map.of("EXEC_SERVER_MAX_PROCESES", "5", "EXEC_SERVER_URL", "ws://h:1")))
                .containsExactly("the environment variable EXEC_SERVER_MAX_PROCESES means nothing here; did you mean "
                        + "EXEC_SERVER_MAX_PROCESSES?");
        assertThat(ConfigLoader.misspelled(
                        Map.of("EXEC_SERVER_SERVICE_HOST", "10.0.0.1", "EXEC_SERVER_PORT_80_TCP", "tcp://10.0.0.1:80")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--listen foo                  | unsupported --listen URL `foo`; expected `ws://IP:PORT` or `stdio`",
                "--listen ws://localhost:0     | invalid websocket --listen URL `ws://localhost:0`; expected `ws://IP:PORT`",
                "--ws-token-file x             | websocket auth flags require `--ws-auth capability-token` or `--ws-auth signed-bearer-token`",
                "--ws-auth capability-token    | `--ws-token-file` or `--ws-token-sha256` is required when `--ws-auth capability-token` is set",
            })
    void whatLaunchersKnowKeepsItsWordsAndStatus1(String line, String message) {
        assertThat(run(line)).isEqualTo(1);

        assertThat(err()).startsWith("Error: " + message + "\n").endsWith("\nTry `exec-server --help`.\n");
        assertThat(out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--a\nError: forged",
                "server\u001b[31m\nError: forged",
                "--concurrent-requests=5\nError: forged",
                "--listen=ws://\nError: forged",
                "--config=/none\nError: forged"
            })
    void whatTheUserHasTypedStaysInOneLineOfTheError(String argument) {
        int status = new Program(List.of(new ServeCommand(this::fake, _ -> {})), console(), "Linux").run(argument);

        assertThat(status).isPositive();
        assertThat(err().lines()).allMatch(VisibleText::harmless).noneMatch(line -> line.startsWith("Error: forged"));
        assertThat(err()).contains("forged");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--concurrent-requests 0       | invalid value `0` for --concurrent-requests (from the command line); give a whole number from 1 to 1000000",
                "--ws-auth password            | invalid value `password` for --ws-auth (from the command line); give one of capability-token, signed-bearer-token, named-clients",
                "--bogus                       | unknown option `--bogus`",
                "--max-proceses 5              | unknown option `--max-proceses`; did you mean --max-processes?",
                "--max-proceses=5              | unknown option `--max-proceses`; did you mean --max-processes?",
                "--pty ffm stdio               | unexpected argument `stdio`",
                "--tls-cert c                  | `--tls-cert` and `--tls-key` are required together",
                "--listen wss://127.0.0.1:0    | --listen wss://127.0.0.1:0 needs --tls-cert and --tls-key",
                "--guardian maybe              | invalid value `maybe` for --guardian (from the command line); give on or off, or true or false",
                "--http-protected-env A=B      | invalid value `A=B` for --http-protected-env (from the command line); give names of environment variables with commas between them, or none",
                "--listen                      | Missing required parameter for option '--listen' (URL)",
                "--pty ffm --pty ffm           | option '--pty' (WHO) should be specified only once",
                "server                        | unknown command `server`; the commands are: serve",
            })
    void aCommandThatIsWrittenWronglyIsStatus2WithAHint(String line, String message) {
        assertThat(run(line)).isEqualTo(2);

        assertThat(err()).isEqualTo("Error: " + message + "\nTry `exec-server --help`.\n");
        assertThat(out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Address already in use          | Address in use (os error 98)        | Another program listens on ws://127.0.0.1:9; end it, or give --listen another port, or 0 for a free one.",
                "Cannot assign requested address | Address not available (os error 99) | No interface of this machine has the address of ws://127.0.0.1:9; `ip address` lists what there is, 0.0.0.0 and [::] stand for all of them.",
                "Permission denied               | Permission denied (os error 13)     | ws://127.0.0.1:9 cannot be listened on; ports below 1024 need root or CAP_NET_BIND_SERVICE.",
            })
    void anAddressThatCannotBeBoundIsSaidInTheWordsThatLaunchersKnow(String reason, String message, String remedy) {
        int status = run(
                config -> {
                    throw new IllegalStateException("start", new UncheckedIOException(new BindException(reason)));
                },
                "--listen ws://127.0.0.1:9");

        assertThat(status).isEqualTo(1);
        assertThat(err()).isEqualTo("Error: " + message + "\n" + remedy + "\n");
    }

    @Test
    void aFailureOfTheSystemAtStartKeepsItsText() {
        run(
                config -> {
                    throw new UncheckedIOException(
                            new IOException("failed to read x: Permission denied (os error 13)"));
                },
                "");
        assertThat(err()).isEqualTo("Error: failed to read x: Permission denied (os error 13)\n");
    }

    @Test
    void aFileOfTheSystemThatCannotBeUsedIsNamedWithTheReason() {
        run(
                config -> {
                    throw new UncheckedIOException(new NoSuchFileException("/none/spill"));
                },
                "");
        assertThat(err()).isEqualTo("Error: /none/spill: No such file or directory (os error 2)\n");
    }

    @Test
    void aServerMayRefuseItsConfiguration() {
        int status = run(
                config -> {
                    throw ConfigException.failure("signed websocket bearer secret /s must be at least 32 bytes");
                },
                "");

        assertThat(status).isEqualTo(1);
        assertThat(err()).isEqualTo("Error: signed websocket bearer secret /s must be at least 32 bytes\n");
    }

    @Test
    void theHelpKnowsEveryOption() {
        assertThat(run("--help-all")).isZero();

        for (Option<?> option : Options.ALL) {
            assertThat(out()).containsPattern("(?m)^ +" + option.longName() + "[ =\\[]");
        }
        assertThat(out()).startsWith("Usage: exec-server [serve] [OPTIONS]\n").contains("Default: 256MiB");
        assertThat(err()).isEmpty();
    }

    @Test
    void theHelpOfTheProgramFitsOnAScreenAndListsTheCommands() {
        assertThat(run("--help")).isZero();
        assertThat(out().lines()).hasSizeLessThanOrEqualTo(40).allMatch(line -> line.length() <= 130);
        assertThat(out())
                .contains("Usage: exec-server [COMMAND] [OPTIONS]", "\nOn this machine:\n  serve ", "--help-all");
        assertThat(err()).isEmpty();
    }

    @Test
    void helpMayBeAskedForAsACommandToo() {
        assertThat(run("help serve")).isZero();
        assertThat(out()).startsWith("Usage: exec-server [serve] [OPTIONS]\n");
        assertThat(run("help nothing")).isEqualTo(2);
        assertThat(err()).startsWith("Error: unknown command `nothing`");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-V", "serve --version"})
    void theVersionNamesProgramJavaAndSystem(String line) {
        assertThat(run(line)).isZero();

        assertThat(out())
                .matches("exec-server [0-9]+\\.[0-9]+\\.[0-9]+\\S*\nJava "
                        + Runtime.version().feature() + ".*\nLinux .*\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--listen stdio", "serve --exit-on-stdin-close=true"})
    void runsOnLinuxOnly(String line) {
        Console console = console();
        int status =
                new Program(List.of(new ServeCommand(this::fake, _ -> {})), console, "Mac OS X").run(arguments(line));

        assertThat(status).isEqualTo(1);
        assertThat(err()).isEqualTo("Error: exec-server runs on Linux only (this is Mac OS X)\n");
        assertThat(started.get()).isNull();
    }

    @Test
    void loggingFollowsTheLevelUnlessTheJvmWasTold() {
        String property = "org.slf4j.simpleLogger.showShortLogName";
        String before = System.getProperty(property);
        try {
            System.setProperty(property, "told");
            Logging.configure(LogLevel.WARN);
            assertThat(System.getProperty(property)).isEqualTo("told");
        } finally {
            if (before == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, before);
            }
        }
    }

    private int run(String line) {
        return run(this::fake, line);
    }

    private int run(Function<ServerConfig, RunningServer> starter, String line) {
        return new Program(List.of(new ServeCommand(starter, _ -> {})), console(), "Linux").run(arguments(line));
    }

    private static String[] arguments(String line) {
        return line.isEmpty() ? new String[0] : line.split(" ");
    }

    private Console console() {
        return new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), Map.of());
    }

    private RunningServer fake(ServerConfig config) {
        started.set(config);
        return new RunningServer() {
            @Override
            public String url() {
                return "ws://127.0.0.1:4711";
            }

            @Override
            public void awaitStop() {}

            @Override
            public void close() {}
        };
    }

    private String out() {
        return out.toString(UTF_8);
    }

    private String err() {
        return err.toString(UTF_8);
    }
}
