package dev.execserver.client;

import static dev.execserver.client.Clients.connect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.UnsupportedFeatureException;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.client.testing.Era;
import dev.execserver.client.testing.FakeServer;
import dev.execserver.protocol.process.StreamKind;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Section 8 of the protocol: one client for the servers of all eras. */
@Timeout(60)
class ErasTest {

    @ParameterizedTest
    @EnumSource(Era.class)
    void aCommandRunsFromStartToClose(Era era) throws Exception {
        FakeServer server = new FakeServer(era, "push", "graceMs");
        try (ExecServerClient client = connect(server);
                RemoteProcess process =
                        client.start(ProcessSpec.of("x").processId("p").stdin())) {
            process.write("in".getBytes());
            server.output("p", StreamKind.STDOUT, "out");
            server.output("p", StreamKind.STDERR, "err");
            server.exit("p", 3, false);
            server.close("p");
            assertThat(process.stdout().readAllBytes()).asString().isEqualTo("out");
            assertThat(process.stderr().readAllBytes()).asString().isEqualTo("err");
            assertThat(process.waitFor()).isEqualTo(new Outcome.Exited(3, Optional.empty()));
            assertThat(process.exitCode()).hasValue(3);
            assertThat(server.stdin("p")).isEqualTo("in");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Era.class,
            names = {"B", "C", "OURS"})
    void aDenialBySandboxIsLearntFromServersThatTellIt(Era era) throws Exception {
        FakeServer server = new FakeServer(era, "push");
        try (ExecServerClient client = connect(server);
                RemoteProcess process = client.start(ProcessSpec.of("x").processId("p"))) {
            server.exit("p", 1, true);
            server.close("p");
            assertThat(process.waitFor()).isEqualTo(new Outcome.SandboxDenied(1));
        }
    }

    @Test
    void theFirstEraGetsNativePathsAndHasNoSession() throws Exception {
        FakeServer server = new FakeServer(Era.A);
        ExecServerClient client = connect(server);
        assertThat(client.sessionId()).isEmpty();
        RemoteProcess process = client.start(ProcessSpec.of("x")
                .processId("p")
                .cwd("/tmp/a b")
                .env(Map.of("cwd", "file:///not/a/path"))
                .arg0("file:///x"));
        assertThat(server.log().getLast())
                .contains("\"cwd\":\"/tmp/a b\"", "{\"cwd\":\"file:///not/a/path\"}", "\"arg0\":\"file:///x\"");
        server.cut();
        assertThat(process.waitFor()).isInstanceOf(Outcome.Lost.class);
        assertThatThrownBy(() -> client.environment().status())
                .isInstanceOf(ConnectionLostException.class)
                .hasMessageContaining("no sessions");
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void anEarlyServerOfTheSecondEraHasNoCodeForAHeldSessionAndMayWantNativePaths() throws Exception {
        FakeServer server = new FakeServer(Era.B);
        try (ExecServerClient client = connect(server, Clients.options().nativePaths(true))) {
            server.busy(2);
            server.cut();
            await().until(() -> server.connections() == 4);
            client.start(ProcessSpec.of("x").cwd("/tmp/a b"));
            assertThat(server.log().getLast()).contains("\"cwd\":\"/tmp/a b\"");
        }
    }

    @Test
    void laterErasGetUrisAndTheServersWorkingDirectory() throws Exception {
        FakeServer server = new FakeServer(Era.C);
        try (ExecServerClient client = connect(server)) {
            client.start(ProcessSpec.of("x").cwd("/tmp/a b"));
            assertThat(server.log().getLast()).contains("\"cwd\":\"file:///tmp/a%20b\"");
            client.start(ProcessSpec.of("x"));
            assertThat(server.log().getLast()).contains("\"cwd\":\"file:///srv\"");
        }
    }

    @Test
    void additionsAreRefusedBeforeAnythingIsSentToAServerWithoutThem() throws Exception {
        FakeServer server = new FakeServer(Era.C);
        try (ExecServerClient client = connect(server);
                RemoteProcess process = client.start(ProcessSpec.of("x").processId("p"))) {
            int before = server.log().size();
            assertUnsupported("process/resize", () -> process.resize(80, 24));
            assertUnsupported("process/closeStdin", process::closeStdin);
            assertUnsupported("process/list", client::list);
            assertUnsupported("process/signal", () -> process.signal("TERM"));
            assertUnsupported("graceMs", () -> process.terminate(Duration.ofSeconds(1)));
            assertUnsupported(
                    "timeoutMs", () -> client.start(ProcessSpec.of("x").timeout(Duration.ofSeconds(1))));
            assertUnsupported("size", () -> client.start(ProcessSpec.of("x").tty(80, 24)));
            assertThat(server.log()).hasSize(before);
            process.interrupt();
            assertThat(server.log().getLast()).contains("\"signal\":\"interrupt\"");
        }
    }

    @Test
    void aServerWithPushIsAskedNotToAndPolled() throws Exception {
        FakeServer server = new FakeServer(Era.OURS, "push", "process/resize");
        try (ExecServerClient client = connect(server);
                RemoteProcess process = client.start(ProcessSpec.of("x").processId("p"))) {
            assertThat(client.features()).containsExactlyInAnyOrder("push", "process/resize");
            assertThat(server.log()).anyMatch(line -> line.contains("\"push\":false"));
            await().until(() -> server.log().getLast().contains("\"waitMs\":20000"));
            server.output("p", StreamKind.STDOUT, "a");
            assertThat(process.nextEvent()).isPresent();
            process.resize(90, 30);
        }
    }

    @Test
    void aRequestOfTheServerIsAnswered() throws Exception {
        // The answer is an error, because no such request is known yet; it is never left open (section 5.7).
        FakeServer server = new FakeServer(Era.C);
        try (ExecServerClient client = connect(server)) {
            server.ask(7, "network/policyRequest");
            await().until(() -> server.log().getLast().startsWith("ErrorResponse[id=Number[value=7]"));
            assertThat(client.sessionId()).contains("SESSION_1");
        }
    }

    private static void assertUnsupported(String feature, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        UnsupportedFeatureException.class,
                        e -> assertThat(e.feature()).isEqualTo(feature));
    }
}
