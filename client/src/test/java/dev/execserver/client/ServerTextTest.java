package dev.execserver.client;

import static dev.execserver.client.Clients.connect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.execserver.client.error.ConnectFailedException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.client.testing.Era;
import dev.execserver.client.testing.FakeServer;
import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.protocol.text.VisibleText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Words of a server in what the client throws and tells: one line, and nothing that a terminal obeys. */
@Timeout(60)
class ServerTextTest {
    private static final String EVIL = "boom \u001b]0;PWN\u0007\u001b[2J\u009b5mA\rB\nforged\u2028C\u202e";

    private final FakeServer server = new FakeServer(Era.OURS);

    private static RpcException evil() {
        return RpcException.of(ErrorCodes.INVALID_REQUEST, EVIL);
    }

    /** Its message, those of all its causes and its stack trace. */
    private static void assertHarmless(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            assertThat(VisibleText.harmless(each.getMessage()))
                    .as(each.toString())
                    .isTrue();
        }
        assertThat(thrown).hasMessageContaining("boom");
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace, true));
        assertThat(trace.toString().lines()).noneMatch(line -> line.startsWith("forged"));
    }

    @Test
    void c101_theErrorOfTheHandshake() {
        server.failNext("initialize", evil());
        Throwable thrown = catchThrowable(() -> connect(server));
        assertThat(thrown).isInstanceOf(ConnectFailedException.class);
        assertHarmless(thrown);
    }

    @Test
    void c101_theErrorOfARequest() throws Exception {
        try (ExecServerClient client = connect(server)) {
            server.failNext("process/start", evil());
            Throwable thrown = catchThrowable(() -> client.start(ProcessSpec.of("x")));
            assertHarmless(thrown);
            assertThat(((RequestFailedException) thrown).serverMessage())
                    .as("for programs, as it came")
                    .isEqualTo(EVIL);
        }
    }

    @Test
    void c101_theReasonOfACloseAndOfALoss() throws Exception {
        try (ExecServerClient client = connect(server);
                RemoteProcess process = client.start(ProcessSpec.of("x").processId("p"))) {
            server.refuse(Integer.MAX_VALUE);
            server.cut("1008 the session is over: " + EVIL);
            Outcome outcome = process.waitFor();
            assertThat(outcome).isInstanceOfSatisfying(Outcome.Lost.class, lost -> {
                assertThat(VisibleText.harmless(lost.reason()))
                        .as(lost.reason())
                        .isTrue();
            });
            Throwable thrown = catchThrowable(() -> process.stdout().readAllBytes());
            assertThat(thrown).isInstanceOf(IOException.class);
            assertThat(VisibleText.harmless(thrown.getMessage())).isTrue();
        }
    }

    @Test
    void c101_theIdOfASessionThatIsNotTheWantedOne() throws Exception {
        assertThat(VisibleText.harmless(new Outcome.Lost("session " + EVIL + " is lost").reason()))
                .isTrue();
    }
}
