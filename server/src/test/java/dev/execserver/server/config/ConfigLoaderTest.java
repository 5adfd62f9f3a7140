package dev.execserver.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.server.rights.CommandBounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {
    @TempDir
    Path folder;

    @Test
    void withoutAnyWordTheConfigurationIsTheDefaultOne() {
        ConfigLoader.Loaded loaded = ConfigLoader.load(Map.of(), Map.of());

        assertThat(loaded.server()).isEqualTo(ServerConfig.DEFAULTS);
        assertThat(loaded.logLevel()).isEqualTo(LogLevel.DEFAULT);
    }

    @Test
    void theCommandLineWinsOverTheEnvironmentAndThatOverTheFile() throws IOException {
        Path file = properties("max-sessions=1\nmax-connections=1\nmax-processes=1\n");

        Limits limits = ConfigLoader.load(
                        Map.of(Options.MAX_SESSIONS, "3"),
                        Map.of(
                                "EXEC_SERVER_CONFIG", file.toString(),
                                "EXEC_SERVER_MAX_SESSIONS", "2",
                                "EXEC_SERVER_MAX_CONNECTIONS", "2"))
                .server()
                .limits();

        assertThat(limits)
                .isEqualTo(
                        Limits.DEFAULTS.withMaxSessions(3).withMaxConnections(2).withMaxProcesses(1));
    }

    @Test
    void everyOptionReachesItsMember() throws IOException {
        Path file = properties("""
                # a comment
                ! another
                listen = ws://[::1]:4711
                origin-guard=off
                tls-cert=/c.pem
                tls-key=/k.pem
                exit-on-stdin-close=true
                ws-auth=signed-bearer-token
                ws-shared-secret-file=/s
                ws-issuer=i = j
                ws-audience=a
                ws-max-clock-skew-seconds=5
                protocol=strict
                concurrent-requests=1
                max-connections=2
                max-sessions=3
                max-processes=4
                max-in-flight-bytes=65MiB
                request-memory-bytes=9MiB
                stdin-queue-bytes=8KiB
                max-helpers=5
                fs-threads=16
                output-memory-bytes=65536
                output-retention-bytes=17MiB
                retained-memory-bytes=1MiB
                retained-bytes=1GiB
                spill-dir=/spill
                process-retention=0
                session-ttl=500ms
                session-ttl-max=2h
                shutdown-grace=3s
                ping-interval=1s
                peer-timeout=1m
                request-timeout=5s
                pty=pty4j
                guardian=off
                linux-sandbox-pid-namespace=inherit
                helper-jar=/h.jar
                bwrap=/bwrap
                state-dir=/state
                log-level=debug
                """);

        ConfigLoader.Loaded loaded = ConfigLoader.load(Map.of(Options.CONFIG, file.toString()), Map.of());

        ServerConfig config = loaded.server();
        assertThat(loaded.logLevel()).isEqualTo(LogLevel.DEBUG);
        assertThat(config.listen())
                .isEqualTo(new Listen(
                        List.of(ListenUrl.parse("ws://[::1]:4711")),
                        new Auth.SignedBearer(
                                Path.of("/s"), Optional.of("i = j"), Optional.of("a"), Duration.ofSeconds(5)),
                        Optional.of(new Tls(Path.of("/c.pem"), Path.of("/k.pem"))),
                        false,
                        true,
                        LocalAccess.DEFAULTS,
                        List.of()));
        assertThat(config.dialect()).isEqualTo(Dialect.STRICT);
        assertThat(config.limits()).isEqualTo(new Limits(1, 2, 3, 4, 65 << 20, 9 << 20, 8 << 10, 5, 16));
        assertThat(config.retention())
                .isEqualTo(
                        new Retention(65_536, 17 << 20, 1 << 20, 1 << 30, Path.of("/spill"), 256 << 20, Duration.ZERO));
        assertThat(config.timing())
                .isEqualTo(new Timing(
                        Duration.ofMillis(500),
                        Duration.ofHours(2),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(1),
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(5),
                        Duration.ZERO));
        assertThat(config.platform())
                .isEqualTo(new Platform(
                        Platform.Pty.PTY4J,
                        false,
                        Platform.PidNamespace.INHERIT,
                        Platform.Sandbox.DEFAULTS,
                        Platform.Helper.WARM,
                        CommandBounds.NONE));
        assertThat(config.paths().helperJar()).contains(Path.of("/h.jar"));
        assertThat(config.paths().bubblewrap()).contains(Path.of("/bwrap"));
        assertThat(config.paths().stateDirectory()).contains(Path.of("/state"));
    }

    @Test
    void anEmptyVariableCountsAsNotSet() {
        assertThat(ConfigLoader.load(Map.of(), Map.of("EXEC_SERVER_MAX_SESSIONS", ""))
                        .server())
                .isEqualTo(ServerConfig.DEFAULTS);
    }

    @Test
    void theNameThatOtherLaunchersUseForExitOnStdinCloseIsHonoured() {
        Map<String, String> both =
                Map.of("CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE", "true", "EXEC_SERVER_EXIT_ON_STDIN_CLOSE", "false");

        assertThat(exitOnStdinClose(Map.of("CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE", "true")))
                .isTrue();
        assertThat(exitOnStdinClose(both)).isFalse();
    }

    @Test
    void wssIsAnotherWayToWriteAListenerWithTls() {
        Map<Option<?>, String> tls =
                Map.of(Options.LISTEN, "wss://127.0.0.1:0", Options.TLS_CERT, "/c.pem", Options.TLS_KEY, "/k.pem");

        assertThat(ConfigLoader.load(tls, Map.of()).server().listen().url()).isEqualTo(ListenUrl.DEFAULT);
        assertRefused(
                Map.of(Options.LISTEN, "wss://127.0.0.1:0"),
                ConfigException.Kind.USAGE,
                "--listen wss://127.0.0.1:0 needs --tls-cert and --tls-key");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maxprocesses=1 | 1: unknown property `maxprocesses`; did you mean max-processes?",
                "colour=red     | 1: unknown property `colour`; `exec-server --help` lists the options, a property is named like its option without the dashes",
                "-listen=stdio  | 1: unknown property `-listen`; did you mean listen?",
                "# x\\nlisten   | 2: expected `name=value`, found `listen`",
                "config=/x      | 1: `config` cannot be set in a properties file; use --config or EXEC_SERVER_CONFIG",
                "bwrap=/a\\     | 1: the value of `bwrap` ends with a backslash; continuation lines do not exist, write the value on one line",
            })
    void refusesALineOfTheFileByItsNumber(String content, String message) throws IOException {
        Path file = properties(content.replace("\\n", "\n"));

        assertRefused(Map.of(Options.CONFIG, file.toString()), ConfigException.Kind.USAGE, file + ":" + message);
    }

    @Test
    void refusesAPropertyThatIsSetTwice() throws IOException {
        Path file = properties("pty=ffm\n\npty=pty4j\n");

        assertRefused(
                Map.of(Options.CONFIG, file.toString()),
                ConfigException.Kind.USAGE,
                "%s:3: `pty` is already set at %s:1; remove one of the two".formatted(file, file));
    }

    @Test
    void saysWhyTheFileCannotBeRead() throws IOException {
        Path missing = folder.resolve("missing");
        Path latin1 = Files.write(folder.resolve("latin1"), new byte[] {'p', 't', 'y', '=', (byte) 0xE4});

        assertRefused(
                Map.of(Options.CONFIG, missing.toString()),
                ConfigException.Kind.FAILURE,
                "failed to read properties file %s: No such file or directory (os error 2)".formatted(missing));
        assertRefused(
                Map.of(Options.CONFIG, latin1.toString()),
                ConfigException.Kind.FAILURE,
                "failed to read properties file %s: it is not UTF-8".formatted(latin1));
    }

    @Test
    void aBadValueNamesTheOptionThePlaceAndTheRemedy() throws IOException {
        Path file = properties("\nmax-processes = many\n");
        String bad = "invalid value `many` for --max-processes (from %s); give a whole number from 1 to 1000000";

        assertRefused(
                Map.of(Options.MAX_PROCESSES, "many"), ConfigException.Kind.USAGE, bad.formatted("the command line"));
        assertRefused(Map.of(Options.CONFIG, file.toString()), ConfigException.Kind.USAGE, bad.formatted(file + ":2"));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(Map.of(), Map.of("EXEC_SERVER_MAX_PROCESSES", "many")))
                .withMessage(bad.formatted("the environment variable EXEC_SERVER_MAX_PROCESSES"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "off", "true", "false"})
    void switchesHaveTwoSpellings(String text) {
        boolean expected = text.equals("on") || text.equals("true");

        assertThat(ConfigLoader.load(Map.of(Options.ORIGIN_GUARD, text), Map.of())
                        .server()
                        .listen()
                        .originGuard())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "session-ttl=25h              | --session-ttl, 25h (from FILE:1), must not exceed --session-ttl-max, 24h (the default); lower the first or raise the second",
                "output-memory-bytes=65MiB    | --output-memory-bytes, 65MiB (from FILE:1), must not exceed --output-retention-bytes, 64MiB (the default); lower the first or raise the second",
                "retained-memory-bytes=5GiB   | --retained-memory-bytes, 5GiB (from FILE:1), must not exceed --retained-bytes, 4GiB (the default); lower the first or raise the second",
                "peer-timeout=30s             | --peer-timeout, 30s (from FILE:1), needs a --ping-interval that is shorter and not 0, not 30s (the default); without pings an idle client would be dropped",
                "ping-interval=0              | --peer-timeout, 90s (the default), needs a --ping-interval that is shorter and not 0, not 0 (from FILE:1); without pings an idle client would be dropped",
            })
    void refusesTwoOptionsThatContradictEachOther(String content, String message) throws IOException {
        Path file = properties(content);

        assertRefused(
                Map.of(Options.CONFIG, file.toString()),
                ConfigException.Kind.USAGE,
                message.replace("FILE", file.toString()));
    }

    private static boolean exitOnStdinClose(Map<String, String> environment) {
        return ConfigLoader.load(Map.of(), environment).server().listen().exitOnStdinClose();
    }

    private static void assertRefused(Map<Option<?>, String> commandLine, ConfigException.Kind kind, String message) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(commandLine, Map.of()))
                .withMessage(message)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(kind));
    }

    private Path properties(String content) throws IOException {
        return Files.writeString(folder.resolve("exec-server.properties"), content);
    }
}
