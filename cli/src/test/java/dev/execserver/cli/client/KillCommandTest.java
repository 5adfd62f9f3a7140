package dev.execserver.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.cli.Console;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.RequestFailedException.Details;
import dev.execserver.client.error.UnsupportedFeatureException;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.session.SessionInfo;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Killing by name: whose session is taken, and what is said when the end is not seen. */
@Timeout(30)
class KillCommandTest {
    private static final ProcessInfo RUNNING = new ProcessInfo(
            "run",
            OptionalLong.of(17),
            List.of("sleep", "5"),
            PathUri.ofNative("/"),
            false,
            true,
            false,
            false,
            OptionalInt.empty(),
            false,
            1,
            1,
            OptionalLong.empty(),
            OptionalLong.empty());

    private final FakeHost host = new FakeHost();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private void session(boolean attached) {
        host.processes.add(RUNNING);
        host.sessions.add(
                new SessionInfo("12345678-9", Optional.of("build"), "test", false, attached, 1, 1, List.of(RUNNING)));
    }

    private int run(String command, String... words) {
        Console console = new Console(
                new PrintStream(OutputStream.nullOutputStream()),
                new PrintStream(err, true, UTF_8),
                Map.of("EXEC_SERVER_URL", "ws://h:1"));
        Arguments arguments =
                Arguments.read(ClientRun.usage(command), List.of(words)).orElseThrow();
        return new ClientRun(host::connect, new FakeTerminal(), console).run(command, arguments);
    }

    @Test
    void aSessionThatNobodyHasIsNotTakenFromAClientThatComesMeanwhile() {
        session(false);
        assertThat(run("kill", "build")).isZero();
        assertThat(host.target.session()).contains("12345678-9");
        assertThat(host.target.takeover()).isFalse();
        assertThat(err).hasToString("build has ended with status 137\n");
    }

    @Test
    void attachTakesNoSessionEitherUnlessToldTo() {
        session(false);
        host.with();
        assertThat(run("attach", "build")).isEqualTo(ClientStatus.NO_CONNECTION);
        assertThat(host.target.session()).contains("12345678-9");
        assertThat(host.target.takeover()).isFalse();
    }

    @Test
    void aSessionOfAnotherClientNeedsTakeover() {
        session(true);
        assertThatThrownBy(() -> run("kill", "build"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("another client has the session of `build`; --takeover takes it");
        assertThat(host.calls).doesNotContain("terminate run 0");
        assertThat(run("kill", "--takeover", "build")).isZero();
        assertThat(host.target.takeover()).isTrue();
        assertThat(host.calls).contains("terminate run 0");
    }

    @Test
    void anEndThatIsNotSeenIsSaidWithAStatusOfItsOwn() {
        session(false);
        host.noAnswer = new RequestFailedException("process/wait", "", -32000, "too many waits", Details.NONE);
        assertThat(run("kill", "build")).isEqualTo(3);
        assertThat(err)
                .hasToString("Error: the server was told to kill build, and does not say if it has ended:"
                        + " too many waits\n");
    }

    @Test
    void aProcessThatTheServerHasForgottenHasEnded() {
        session(false);
        host.noAnswer = new RequestFailedException(
                "process/wait", "", ErrorCodes.INVALID_REQUEST, "unknown process id run", Details.NONE);
        assertThat(run("kill", "build")).isZero();
        assertThat(err).hasToString("build has ended\n");
    }

    @Test
    void aServerThatCannotWaitIsNamed() {
        session(false);
        host.noAnswer = new UnsupportedFeatureException("process/wait");
        assertThat(run("kill", "build")).isZero();
        assertThat(err)
                .hasToString("the server was told to kill build, and cannot say when it has ended:"
                        + " the server does not have the feature `process/wait`\n");
    }
}
