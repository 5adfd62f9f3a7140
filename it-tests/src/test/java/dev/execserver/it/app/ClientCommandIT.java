package dev.execserver.it.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.command.CommandResult;
import dev.execserver.client.command.CommandSpec;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.process.SandboxProfile;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.protocol.paths.PathUri;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The Java client's commands with one result: over HTTP, over the session, and with a server that has neither addition. */
@Timeout(120)
class ClientCommandIT {

    @TempDir
    static Path shared;

    private static ServerProcess guarded;
    private static ServerProcess open;
    private static ServerProcess strict;

    private enum Way {
        HTTP,
        SESSION,
        REFERENCE
    }

    @TempDir
    Path directory;

    @BeforeAll
    static void start() throws IOException {
        String token = Files.writeString(shared.resolve("token"), "secret").toString();
        guarded = ServerProcess.listening("--ws-auth", "capability-token", "--ws-token-file", token);
        open = ServerProcess.listening();
        strict = ServerProcess.listening("--protocol", "strict");
    }

    @AfterAll
    static void stop() {
        guarded.close();
        open.close();
        strict.close();
    }

    private static ExecServerClient connect(Way way) throws InterruptedException {
        ServerProcess server = switch (way) {
            case HTTP -> guarded;
            case SESSION -> open;
            case REFERENCE -> strict;
        };
        ClientOptions.Builder options = ClientOptions.url(server.url().toString());
        return ExecServerClient.connect((way == Way.HTTP ? options.bearerToken("secret") : options).build());
    }

    private static String[] shell(String script) {
        return new String[] {"sh", "-c", script};
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aCommandHasOneResultWhateverTheServer(Way way) throws InterruptedException {
        try (ExecServerClient client = connect(way)) {
            assertThat(client.features().contains("/v1/exec")).isEqualTo(way == Way.HTTP);
            CommandResult result = client.run(shell("echo out; echo err >&2; exit 3"));
            assertThat(result).isEqualTo(new CommandResult(3, "out\n", "err\n", false, false, false));
            assertThat(client.run(shell("kill -9 $$")).exitCode()).isEqualTo(137);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void variablesAndTheDirectoryReachTheCommand(Way way) throws InterruptedException {
        try (ExecServerClient client = connect(way)) {
            CommandResult result = client.exec(CommandSpec.of(shell("pwd; echo $COLOUR"))
                    .cwd(PathUri.ofNative(directory.toString()))
                    .env(Map.of("COLOUR", "blue")));
            assertThat(result.stdout()).isEqualTo(directory + "\nblue\n");
            assertThat(result.successful()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void outputBeyondItsBoundIsToldAndSplitsNoCharacter(Way way) throws InterruptedException {
        try (ExecServerClient client = connect(way)) {
            CommandResult result = client.exec(CommandSpec.of(shell("printf 'aä€'; head -c 3000000 /dev/zero >&2"))
                    .outputBytes(5));
            assertThat(result.stdout()).isEqualTo("aä");
            assertThat(result.stdoutTruncated()).isTrue();
            assertThat(result.stderr()).hasSize(5);
            assertThat(result.stderrTruncated()).isTrue();
            assertThat(result.successful()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aCommandEndsWhenItsTimeIsOver(Way way) throws InterruptedException {
        try (ExecServerClient client = connect(way)) {
            CommandResult result =
                    client.exec(CommandSpec.of(shell("echo begun; sleep 60")).timeout(Duration.ofMillis(700)));
            assertThat(result).isEqualTo(new CommandResult(CommandResult.TIMED_OUT, "begun\n", "", false, false, true));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"HTTP", "SESSION"})
    void inputReachesTheCommandAndEnds(Way way) throws InterruptedException {
        byte[] input = "hällo\n".repeat(100_000).getBytes(UTF_8);
        try (ExecServerClient client = connect(way)) {
            assertThat(client.exec(CommandSpec.of("wc", "-c").stdin(input))
                            .stdout()
                            .strip())
                    .isEqualTo(String.valueOf(input.length));
            assertThat(client.exec(CommandSpec.of("true").stdin(input)).successful())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void theSandboxHoldsInEveryWay(Way way) throws InterruptedException {
        PathUri place = PathUri.ofNative(directory.toString());
        try (ExecServerClient client = connect(way)) {
            CommandSpec spec = CommandSpec.of(shell("echo x > made; echo x > /var/tmp/not-made-by-exec"))
                    .cwd(place)
                    .sandbox(SandboxProfile.readingEverything().write(place).in(place));
            CommandResult result = client.exec(spec);
            assertThat(result.successful()).isFalse();
            assertThat(directory.resolve("made")).hasContent("x");
            assertThat(Path.of("/var/tmp/not-made-by-exec")).doesNotExist();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aProgramThatIsNotThereIsAnError(Way way) throws InterruptedException {
        try (ExecServerClient client = connect(way)) {
            assertThatThrownBy(() -> client.run("no-such-program"))
                    .isInstanceOf(RequestFailedException.class)
                    .hasMessageContaining("No such file or directory");
        }
    }
}
