package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.NpmPrograms;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.SandboxdServer;
import dev.execserver.it.support.SelfSigned;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.VarTmp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes of the runtime interface of sandboxes, driven by the gRPC of npm with our definition. */
@Timeout(400)
class SandboxdProcessIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static NpmPrograms programs;

    @TempDir(factory = VarTmp.class)
    private Path work;

    private final String mark = UUID.randomUUID().toString();
    private SandboxdServer server;

    @BeforeAll
    static void install() throws Exception {
        programs = NpmPrograms.of("grpc");
    }

    @BeforeEach
    void start() {
        server = SandboxdServer.start(work, Map.of("MARK", mark));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private JsonNode step(String... step) throws Exception {
        return server.step(programs, work, Map.of(), step);
    }

    @Test
    void aCommandRunsToItsEnd() throws Exception {
        JsonNode answer = step(
                "execute", "{\"command\":[\"sh\",\"-c\",\"pwd; echo $A >&2; exit 3\"],\"env_vars\":{\"A\":\"b c\"}}");

        assertThat(answer.get("exit_code").intValue()).isEqualTo(3);
        assertThat(answer.get("stdout").textValue()).isEqualTo(work + "\n");
        assertThat(answer.get("stderr").textValue()).isEqualTo("b c\n");
    }

    @Test
    void whatCannotRunIsRefusedWithItsReason() throws Exception {
        assertThat(step("execute", "{\"command\":[]}").get("code").intValue()).isEqualTo(3);
        assertThat(step("execute", "{\"command\":[\"/not/there\"]}").get("code").intValue())
                .isEqualTo(5);
        assertThat(step("execute", "{\"command\":[\"true\"],\"cwd\":\"/not/there\"}")
                        .get("code")
                        .intValue())
                .isEqualTo(5);
        assertThat(step("execute", "{\"command\":[\"/etc/passwd\"]}")
                        .get("code")
                        .intValue())
                .isEqualTo(7);
        assertThat(step("unknown").get("code").intValue()).isEqualTo(12);
    }

    @Test
    void commandsRunUnderTheDefaultProfile() throws Exception {
        JsonNode over = step("stream", "touch inside; touch /var/tmp/" + mark);

        assertThat(over.get("exit").intValue()).isEqualTo(1);
        assertThat(over.get("error").textValue()).contains("Read-only file system");
        assertThat(work.resolve("inside")).exists();
        assertThat(Path.of("/var/tmp", mark)).doesNotExist();
    }

    @Test
    void inputIsWrittenAndEnded() throws Exception {
        JsonNode said = step("input");

        assertThat(said.get("over").get("text").textValue()).isEqualTo("one\ntwo\nend\n");
        assertThat(said.get("over").get("exit").intValue()).isZero();
        assertThat(said.get("late").get("code").intValue()).isEqualTo(5);
    }

    @Test
    void signalsReachTheCommand() throws Exception {
        JsonNode said = step("signal");

        assertThat(said.get("wrong").get("code").intValue()).isEqualTo(3);
        assertThat(said.get("over").get("exit").intValue()).isEqualTo(7);
        assertThat(said.get("over").get("text").textValue()).isEqualTo("ready\ncaught\n");
        assertThat(said.get("killed").get("exit").intValue()).isEqualTo(137);
    }

    @Test
    void aTerminalHasASizeThatCanChange() throws Exception {
        JsonNode said = step("terminal");

        assertThat(said.get("zero").get("code").intValue()).isEqualTo(3);
        assertThat(said.get("over").get("text").textValue()).isEqualTo("30 100\r\nready\r\n20 90\r\n");
        assertThat(said.get("none").get("code").intValue()).isEqualTo(9);
    }

    @Test
    void aLongStreamArrivesWhole() throws Exception {
        JsonNode over = step("stream", "head -c 268435456 /dev/zero | tr '\\0' x");

        assertThat(over.get("bytes").longValue()).isEqualTo(268_435_456);
        assertThat(over.get("exit").intValue()).isZero();
    }

    @Test
    void aClientThatReadsNothingHoldsTheCommandAndNobodyElse() throws Exception {
        JsonNode said = step("slow", work.toString());

        assertThat(said.get("other").textValue()).isEqualTo("others go on\n");
        assertThat(said.get("held").longValue()).isPositive();
        assertThat(said.get("code").intValue()).isEqualTo(1);
    }

    @Test
    void twoHundredCommandsRunAtOnceOnOneConnection() throws Exception {
        JsonNode said = step("many");

        assertThat(said.get("distinct").intValue()).isEqualTo(200);
        assertThat(said.get("right").intValue()).isEqualTo(200);
    }

    @Test
    void aCancelledCallKillsTheCommandAndItsChildren() throws Exception {
        JsonNode over = step("cancel", "MARK=" + mark + "x sleep 600 & echo ready; sleep 600");

        assertThat(over.get("code").intValue()).isEqualTo(1);
        awaitNoSleepers();
    }

    @Test
    void aPassedDeadlineKillsTheCommand() throws Exception {
        JsonNode over = step("deadline", "echo ready; sleep 600");

        assertThat(over.get("code").intValue()).isEqualTo(4);
        assertThat(over.get("text").textValue()).isEqualTo("ready\n");
        awaitNoSleepers();
    }

    @Test
    void aClientThatVanishesTakesItsCommandsWithIt() throws Exception {
        List<String> command = new ArrayList<>(
                List.of(programs.node().toString(), programs.file("client.mjs").toString()));
        command.addAll(server.arguments("stream", "touch began; sleep 600"));
        Process client = new ProcessBuilder(command)
                .redirectOutput(work.resolve("client.out").toFile())
                .redirectErrorStream(true)
                .start();
        await().atMost(LIMIT).until(() -> Files.exists(work.resolve("began")));
        client.destroyForcibly().waitFor();

        awaitNoSleepers();
        assertThat(step("execute", "{\"command\":[\"true\"]}").get("exit_code").intValue())
                .isZero();
    }

    /** The only processes that the server has are those of commands. */
    private void awaitNoSleepers() {
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(ProcFs.descendants(server.server().pid()))
                                .noneMatch(pid -> ProcFs.commandLine(pid).contains("600")));
    }

    @Test
    void messagesThatCannotBeTakenAreRefusedAndTheConnectionGoesOn() throws Exception {
        assertThat(step("large").get("code").intValue()).isEqualTo(8);
        assertThat(step("execute", "{\"command\":[\"head\",\"-c\",\"5000000\",\"/dev/zero\"]}")
                        .get("code")
                        .intValue())
                .isEqualTo(8);

        JsonNode half = step("half");

        assertThat(half.get("nothing").textValue()).isEqualTo("3");
        assertThat(half.get("part").textValue()).isEqualTo("3");
        assertThat(half.get("whole").textValue()).isEqualTo("0");
        assertThat(half.get("stillOpen").textValue()).isEqualTo("0");
        assertThat(half.get("twice").textValue()).isEqualTo("3");
        assertThat(half.get("compressed").textValue()).isEqualTo("12");
        assertThat(half.get("garbage").textValue()).isEqualTo("3");
    }

    @Test
    void theMemoryOfCallsThatAreBrokenOffIsGivenBack() throws Exception {
        server.close();
        server = SandboxdServer.start(work, Map.of(), "--request-memory-bytes", "64MiB");

        JsonNode after = step("resets", "60");

        assertThat(after.path("exit_code").intValue()).as("%s", after).isZero();
        assertThat(after.has("code")).as("%s", after).isFalse();
    }

    @Test
    void aTokenIsRequiredAndMayTravelByTls() throws Exception {
        SelfSigned made = SelfSigned.make(work, "server");
        Path certificate = work.resolve("cert.pem");
        made.write(certificate, work.resolve("key.pem"));
        Path token = Files.writeString(work.resolve("token"), "a-long-secret");
        try (SandboxdServer guarded = SandboxdServer.start(
                work,
                Map.of(),
                "--ws-auth",
                "capability-token",
                "--ws-token-file",
                token.toString(),
                "--tls-cert",
                certificate.toString(),
                "--tls-key",
                work.resolve("key.pem").toString())) {
            String[] step = {"execute", "{\"command\":[\"echo\",\"in\"]}"};
            Map<String, String> right = Map.of("CA", certificate.toString(), "TOKEN", "a-long-secret");
            Map<String, String> wrong = Map.of("CA", certificate.toString(), "TOKEN", "a-long-guess");

            assertThat(guarded.step(programs, work, right, step).get("stdout").textValue())
                    .isEqualTo("in\n");
            assertThat(guarded.step(programs, work, wrong, step).get("code").intValue())
                    .isEqualTo(16);
            assertThat(guarded.step(programs, work, Map.of("CA", certificate.toString()), step)
                            .get("code")
                            .intValue())
                    .isEqualTo(16);
        }
    }

    @Test
    void theAddressIsForThisMachineOnlyWithoutALogIn() throws Exception {
        Process refused = new ProcessBuilder(
                        ServerCommand.of(List.of("--listen", "ws://127.0.0.1:0", "--sandboxd", "0.0.0.0:0")))
                .redirectErrorStream(true)
                .start();

        assertThat(new String(refused.getInputStream().readAllBytes(), UTF_8)).contains("needs --ws-auth");
        assertThat(refused.waitFor()).isEqualTo(2);
    }
}
