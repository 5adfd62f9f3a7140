package dev.execserver.client;

import static dev.execserver.client.Clients.connect;
import static dev.execserver.client.Clients.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.client.error.ConnectFailedException;
import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.client.testing.Era;
import dev.execserver.client.testing.FakeServer;
import dev.execserver.protocol.rpc.RpcException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first connection, and servers that are programs. */
@Timeout(60)
class ConnectTest {

    private final FakeServer server = new FakeServer(Era.OURS, "takeover", "sessionTtlMs");

    @Test
    void anUnreachableServerIsOneClearError() {
        server.refuse(1);
        assertThatThrownBy(() -> connect(server))
                .isInstanceOf(ConnectFailedException.class)
                .hasMessageContaining("Connection refused");
    }

    @Test
    void aRefusedHandshakeIsOneClearError() {
        server.failNext("initialize", RpcException.internal("too many sessions"));
        assertThatThrownBy(() -> connect(server))
                .isInstanceOf(ConnectFailedException.class)
                .hasMessageContaining("too many sessions");
    }

    @Test
    void aHandshakeThatIsNotAnsweredIsGivenUp() {
        server.mute(true);
        assertThatThrownBy(() -> connect(server, options().initializeTimeout(Duration.ofMillis(30))))
                .isInstanceOf(ConnectFailedException.class)
                .hasMessageContaining("initialize was not answered within 30 ms");
    }

    @Test
    void aSessionThatIsStillHeldIsAskedForAgain() throws Exception {
        server.busy(3);
        try (ExecServerClient client = connect(server, options().resumeSessionId("SESSION_1"))) {
            assertThat(client.sessionId()).contains("SESSION_1");
            assertThat(server.connections()).isEqualTo(4);
        }
    }

    @Test
    void wishesForTheSessionAreSentAndTheGrantIsShown() throws Exception {
        ClientOptions.Builder options =
                options().resumeSessionId("SESSION_1").takeover(true).sessionTtl(Duration.ofMinutes(5));
        try (ExecServerClient client = connect(server, options)) {
            assertThat(server.log().getFirst())
                    .isEqualTo("initialize {\"clientName\":\"test\",\"resumeSessionId\":\"SESSION_1\","
                            + "\"takeover\":true,\"sessionTtlMs\":300000}");
            assertThat(client.sessionTtl()).contains(Duration.ofMinutes(5));
        }
    }

    @Test
    void takeoverIsForTheFirstConnectionOnly() throws Exception {
        ClientOptions.Builder options = options().resumeSessionId("SESSION_1").takeover(true);
        try (ExecServerClient client = connect(server, options)) {
            server.cut();
            assertThat(client.attach("p").waitFor()).isInstanceOf(Outcome.Lost.class);
            assertThat(server.log())
                    .filteredOn(line -> line.startsWith("initialize "))
                    .last()
                    .asString()
                    .doesNotContain("takeover");
        }
    }

    @Test
    void aProgramIsAServerToo() throws Exception {
        // Answers the handshake and one start, then reports an exit; blank lines do no harm.
        String script = "read a; echo; echo '{\"id\":1,\"result\":{\"sessionId\":\"s\"}}'; read b; read c; "
                + "echo '{\"id\":2,\"result\":{\"processId\":\"p\"}}'; "
                + "echo '{\"method\":\"process/exited\",\"params\":{\"processId\":\"p\",\"seq\":1,\"exitCode\":5,\"sandboxDenied\":false}}'; "
                + "echo '{\"method\":\"process/closed\",\"params\":{\"processId\":\"p\",\"seq\":2}}'; cat >/dev/null";
        ClientOptions options =
                ClientOptions.program(List.of("/bin/sh", "-c", script)).build();
        try (ExecServerClient client = ExecServerClient.connect(options);
                RemoteProcess process = client.start(ProcessSpec.of("x").processId("p"))) {
            assertThat(process.stdout().readAllBytes()).isEmpty();
            assertThat(process.exitCode()).hasValue(5);
        }
    }

    @Test
    void theEndOfAProgramIsTheEndOfItsClient() throws Exception {
        String script = "read a; echo '{\"id\":1,\"result\":{\"sessionId\":\"s\"}}'; read b; read c";
        ClientOptions options =
                ClientOptions.program(List.of("/bin/sh", "-c", script)).build();
        try (ExecServerClient client = ExecServerClient.connect(options)) {
            assertThatThrownBy(() -> client.environment().status()).isInstanceOf(ConnectionLostException.class);
        }
    }

    @Test
    void aProgramThatDoesNotExistIsOneClearError() {
        ClientOptions options =
                ClientOptions.program(List.of("/does/not/exist")).build();
        assertThatThrownBy(() -> ExecServerClient.connect(options))
                .isInstanceOf(ConnectFailedException.class)
                .hasMessageContaining("/does/not/exist");
    }
}
