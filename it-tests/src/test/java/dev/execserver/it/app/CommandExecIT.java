package dev.execserver.it.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.AppClient;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.SharedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commands of the app-server dialect over WebSockets: where this server promises more than the recordings show. */
@Timeout(120)
class CommandExecIT {
    private static final Object FULL_ACCESS = Json.object("type", "dangerFullAccess");
    private static final int KILLED = 137;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with("--stdin-queue-bytes", "4194304");

    private final List<AppClient> clients = new ArrayList<>();

    private AppClient client(String... unwanted) {
        AppClient client = AppClient.connect(SERVER.port());
        clients.add(client);
        return client.handshake(true, unwanted);
    }

    @AfterEach
    void close() {
        clients.forEach(AppClient::close);
    }

    private static JsonNode result(JsonNode answer) {
        assertThat(answer.has("result")).as("a result: %s", answer).isTrue();
        return answer.get("result");
    }

    private static String error(JsonNode answer) {
        assertThat(answer.has("error")).as("an error: %s", answer).isTrue();
        return answer.get("error").get("code").asInt() + " "
                + answer.get("error").get("message").asText();
    }

    private static String[] shell(String script) {
        return new String[] {"sh", "-c", script};
    }

    @Test
    void theHandshakeOfOneDialectTellsNothingOfTheOther() {
        AppClient client = AppClient.connect(SERVER.port());
        clients.add(client);
        JsonNode greeting = result(client.call(
                "initialize", "clientInfo", Json.object("name", "n", "version", "1"), "capabilities", null));

        assertThat(Json.names(greeting))
                .containsExactly("userAgent", "codexHome", "platformFamily", "platformOs", "methods");
        assertThat(greeting.get("methods"))
                .map(JsonNode::asText)
                .contains("command/exec")
                .doesNotContain("process/start");
        assertThat(error(client.call("process/start"))).contains("unknown variant `process/start`");
        assertThat(SERVER.client()
                        .call("command/exec", "command", List.of("true"))
                        .errorCode())
                .isEqualTo(-32601);
    }

    @Test
    void theFamilyOfTheMethodChoosesTheErrorBeforeTheHandshake() {
        AppClient client = AppClient.connect(SERVER.port());
        clients.add(client);

        assertThat(error(client.call("command/exec", "command", List.of("true"))))
                .isEqualTo("-32600 Not initialized");
        assertThat(error(client.call("process/list"))).contains("client must call initialize");
    }

    @Test
    void theResultTellsWhatWasCutAndWhy() {
        AppClient client = client();

        JsonNode cut = result(
                client.call("command/exec", "command", shell("printf abcdef; printf x >&2"), "outputBytesCap", 3));
        assertThat(cut.get("stdout").asText()).isEqualTo("abc");
        assertThat(cut.get("stdoutCapReached").asBoolean()).isTrue();
        assertThat(cut.get("stderrCapReached").asBoolean()).isFalse();

        JsonNode exact = result(client.call("command/exec", "command", shell("printf abc"), "outputBytesCap", 3));
        assertThat(exact.get("stdoutCapReached").asBoolean()).isFalse();

        JsonNode late = result(client.call("command/exec", "command", shell("sleep 600"), "timeoutMs", 200));
        assertThat(late.get("exitCode").asInt()).isEqualTo(124);
        assertThat(late.get("timedOut").asBoolean()).isTrue();

        JsonNode held = result(
                client.call("command/exec", "command", shell("sleep 60 & echo x"), "sandboxPolicy", FULL_ACCESS));
        assertThat(held.get("stdout").asText()).isEqualTo("x\n");
        assertThat(held.get("outputDrainTimedOut").asBoolean()).isTrue();
    }

    @Test
    void inputThatNobodyReadsHoldsUpNoControl() {
        AppClient client = client();
        int command = client.send(
                "command/exec",
                "command",
                shell("echo ready; sleep 600"),
                "processId",
                "bp",
                "streamStdin",
                true,
                "streamStdoutStderr",
                true,
                "disableTimeout",
                true,
                "sandboxPolicy",
                FULL_ACCESS);
        client.awaitOutput("bp", "ready");
        String piece = Json.base64(new byte[64 * 1024]);
        List<Integer> writes = IntStream.range(0, 300)
                .mapToObj(i -> client.send("command/exec/write", "processId", "bp", "deltaBase64", piece))
                .toList();
        int terminate = client.send("command/exec/terminate", "processId", "bp");

        result(client.answer(terminate));
        assertThat(result(client.answer(command)).get("exitCode").asInt()).isEqualTo(KILLED);
        long refused = writes.stream()
                .map(client::answer)
                .filter(answer -> answer.has("error"))
                .peek(answer -> assertThat(error(answer)).isEqualTo("-32600 stdin queue is full"))
                .count();
        assertThat(refused).isPositive();
    }

    @Test
    void aTimeLimitIsKeptWhileInputWaits() {
        AppClient client = client();
        int command = client.send(
                "command/exec",
                "command",
                shell("sleep 600"),
                "processId",
                "late",
                "streamStdin",
                true,
                "timeoutMs",
                1500);
        String piece = Json.base64(new byte[64 * 1024]);
        for (int i = 0; i < 150; i++) {
            client.send("command/exec/write", "processId", "late", "deltaBase64", piece);
        }

        assertThat(result(client.answer(command)).get("exitCode").asInt()).isEqualTo(124);
    }

    @Test
    void terminateKillsProcessesWithSessionsOfTheirOwn() {
        AppClient client = client();
        int command = client.send(
                "command/exec",
                "command",
                shell("setsid sleep 4711 & echo $!; wait"),
                "processId",
                "tree",
                "streamStdoutStderr",
                true,
                "sandboxPolicy",
                FULL_ACCESS);
        client.awaitOutput("tree", "\n");
        long child = Long.parseLong(client.output("tree", "stdout").trim());
        result(client.call("command/exec/terminate", "processId", "tree"));

        assertThat(result(client.answer(command)).get("exitCode").asInt()).isEqualTo(KILLED);
        await().until(() -> !ProcFs.alive(child));
    }

    @Test
    void aConnectionThatClosesEndsItsCommandsAndNoOthers() {
        AppClient first = client();
        AppClient second = client();
        for (AppClient client : List.of(first, second)) {
            client.send(
                    "command/exec",
                    "command",
                    shell("setsid sleep 4712 & echo $!; wait"),
                    "processId",
                    "shared",
                    "streamStdoutStderr",
                    true,
                    "disableTimeout",
                    true,
                    "sandboxPolicy",
                    FULL_ACCESS);
            client.awaitOutput("shared", "\n");
        }
        long mine = Long.parseLong(first.output("shared", "stdout").trim());
        long others = Long.parseLong(second.output("shared", "stdout").trim());
        first.close();

        await().until(() -> !ProcFs.alive(mine));
        assertThat(ProcFs.alive(others)).isTrue();
        assertThat(second.deltas("shared", "stdout")).hasSize(1);
        AppClient third = client();
        assertThat(error(third.call("command/exec/terminate", "processId", "shared")))
                .isEqualTo("-32600 no active command/exec for process id \"shared\"");
    }

    @Test
    void closingDuringTheStartLeavesNothing() {
        for (int i = 0; i < 10; i++) {
            AppClient client = client();
            client.send("command/exec", "command", new String[] {"sleep", "4713" + i}, "disableTimeout", true);
            client.close();
        }

        await().atMost(Duration.ofSeconds(30))
                .until(() -> ProcFs.marked("sleep\0004713").isEmpty());
    }

    @Test
    void aClientThatReadsSlowlyGetsEveryByte() {
        AppClient client = client();
        client.stopReading();
        int command = client.send(
                "command/exec",
                "command",
                shell("head -c 2000000 /dev/zero | tr '\\0' x; head -c 2000000 /dev/zero | tr '\\0' y >&2"),
                "processId",
                "big",
                "streamStdoutStderr",
                true,
                "disableOutputCap",
                true,
                "disableTimeout",
                true);
        AppClient other = client();
        result(other.call("command/exec", "command", List.of("true")));
        client.resumeReading();

        JsonNode answer = client.answer(command);
        assertThat(client.output("big", "stdout")).hasSize(2_000_000);
        assertThat(client.output("big", "stderr")).hasSize(2_000_000);
        assertThat(client.all().getLast()).as("the answer comes last").isEqualTo(answer);
    }

    @Test
    void twoHundredCommandsRunAtOnce() {
        AppClient client = client();
        List<Integer> commands = IntStream.range(0, 200)
                .mapToObj(i -> client.send(
                        "command/exec",
                        "command",
                        shell("echo " + i),
                        "processId",
                        "c" + i,
                        "disableTimeout",
                        true,
                        "sandboxPolicy",
                        FULL_ACCESS))
                .toList();

        for (int i = 0; i < commands.size(); i++) {
            assertThat(result(client.answer(commands.get(i))).get("stdout").asText())
                    .isEqualTo(i + "\n");
        }
    }

    @Test
    void anIdOfAMegabyteIsAnIdLikeAnyOther() {
        AppClient client = client();
        String id = "i".repeat(1 << 20);

        assertThat(result(client.call("command/exec", "command", List.of("true"), "processId", id))
                        .get("exitCode")
                        .asInt())
                .isZero();
        assertThat(error(client.call("command/exec/terminate", "processId", id)))
                .endsWith(id + "\"");
    }

    @Test
    void whatIsNoMessageIsAnsweredAndTheConnectionGoesOn() {
        AppClient client = client();
        int command = client.send("command/exec", "command", shell("sleep 1; echo x"));
        client.sendText("{not json");
        client.sendText("[]");
        client.sendText("{\"method\":\"no/such/notification\"}");

        await().until(() -> client.all().stream()
                        .filter(message -> message.path("id").isNull())
                        .filter(message -> message.path("error").path("code").asInt() == -32600)
                        .count()
                == 2);
        assertThat(result(client.answer(command)).get("stdout").asText()).isEqualTo("x\n");
    }

    @Test
    void unwantedNotificationsAreNotSent() {
        AppClient client = client("command/exec/outputDelta");
        JsonNode answer = result(client.call(
                "command/exec", "command", shell("echo x"), "processId", "quiet", "streamStdoutStderr", true));

        assertThat(answer.get("stdout").asText()).isEmpty();
        assertThat(client.deltas("quiet", "stdout")).isEmpty();
    }

    @Test
    void largeInputArrivesWhole() {
        AppClient client = client();
        int command = client.send("command/exec", "command", shell("wc -c"), "processId", "in", "streamStdin", true);
        result(client.call(
                "command/exec/write",
                "processId",
                "in",
                "deltaBase64",
                Json.base64(new byte[3_000_000]),
                "closeStdin",
                true));

        assertThat(result(client.answer(command)).get("stdout").asText().trim()).isEqualTo("3000000");
    }

    @Test
    void profilesOfTheOldSchemaAreEnforced() {
        AppClient client = client();
        Object policy = Json.object(
                "type",
                "readOnly",
                "access",
                Json.object(
                        "type", "restricted", "includePlatformDefaults", true, "readableRoots", List.of("/var/tmp")));
        JsonNode restricted = result(client.call(
                "command/exec",
                "command",
                shell("ls /var/tmp >/dev/null && echo listed; ls /home /opt /srv; echo end"),
                "sandboxPolicy",
                policy));
        assertThat(restricted.get("stdout").asText()).isEqualTo("listed\nend\n");

        Object managed = Json.object(
                "type",
                "managed",
                "network",
                Json.object("enabled", false),
                "fileSystem",
                Json.object(
                        "type",
                        "restricted",
                        "entries",
                        List.of(Json.object(
                                "access",
                                "read",
                                "path",
                                Json.object("type", "special", "value", Json.object("kind", "root"))))));
        JsonNode readOnly = result(client.call(
                "command/exec",
                "command",
                shell("touch /var/tmp/app-it 2>/dev/null || echo refused; echo $CODEX_SANDBOX_NETWORK_DISABLED"),
                "permissionProfile",
                managed));
        assertThat(readOnly.get("stdout").asText()).isEqualTo("refused\n1\n");
    }

    @Test
    void typedInputReachesAProgramOnATerminalInASandbox() {
        AppClient client = client();
        int command = client.send(
                "command/exec",
                "command",
                shell("trap 'echo WINCH $(stty size)' WINCH; echo ready; while :; do sleep 0.1; done"),
                "processId",
                "t",
                "tty",
                true,
                "disableTimeout",
                true);
        client.awaitOutput("t", "ready");
        result(client.call("command/exec/resize", "processId", "t", "size", Json.object("rows", 50, "cols", 60)));
        client.awaitOutput("t", "WINCH 50 60");
        result(client.call("command/exec/write", "processId", "t", "deltaBase64", Json.base64("\u0003")));

        assertThat(result(client.answer(command)).get("exitCode").asInt()).isEqualTo(130);
    }
}
