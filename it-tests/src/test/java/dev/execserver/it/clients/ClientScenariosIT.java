package dev.execserver.it.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.FakeExecServer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.UnreliableLink;
import dev.execserver.it.support.UnreliableLink.Trouble;
import dev.execserver.it.support.VarTmp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every client does, in each language. {@code -Dit.cuts=N} sets how often a connection is cut, 40 times by default. */
@Timeout(240)
class ClientScenariosIT {
    private static final int CUTS = Integer.getInteger("it.cuts", 40);

    /** Pieces of the output, of some 130 KiB each; with 200 cuts it has 64 MiB and more. */
    private static final int PIECES = Math.max(200, CUTS * 5 / 2);

    private static final String READ_ONLY = "{\"readOnly\":true}";
    private static final Runnable NOTHING = () -> {};

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir(factory = VarTmp.class)
    private Path directory;

    private static String url() {
        return "ws://127.0.0.1:" + SERVER.port();
    }

    private static JsonNode sh(String script) {
        return args("sh", "-c", script);
    }

    private static ObjectNode args(String... argv) {
        return Json.object("argv", List.of(argv));
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    private static byte[] numbers(int last) {
        StringBuilder lines = new StringBuilder();
        for (int i = 1; i <= last; i++) {
            lines.append(i).append('\n');
        }
        return lines.toString().getBytes(UTF_8);
    }

    @ParameterizedTest
    @EnumSource
    void outputArrivesInItsOrderAndTheExitCodeIsTold(Language language) throws Exception {
        JsonNode result = language.driver().act(url(), "output", sh("seq 200000; echo no >&2; exit 4"), NOTHING);

        assertThat(result.path("sha256").textValue()).as("%s", result).isEqualTo(sha256(numbers(200_000)));
        assertThat(result.get("stderrBytes").intValue()).isEqualTo(3);
        assertThat(result.get("exitCode").intValue()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void aServerWithoutAdditionsPushesAndEveryByteArrivesOnce(Language language) throws Exception {
        try (ServerProcess strict = ServerProcess.listening("--protocol", "strict")) {
            String url = "ws://127.0.0.1:" + strict.port();
            JsonNode result = language.driver().act(url, "output", sh("seq 300000; exit 4"), NOTHING);

            assertThat(result.path("sha256").textValue()).as("%s", result).isEqualTo(sha256(numbers(300_000)));
            assertThat(result.get("exitCode").intValue()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void eventsInDisorderAndTwiceAreTakenInTheirOrderAndOnce(Language language) throws Exception {
        DisorderedServer script = DisorderedServer.shuffling(2_000);
        try (FakeExecServer server = FakeExecServer.saying(script)) {
            JsonNode result = language.driver().act(server.url(), "output", args("any"), NOTHING);

            assertThat(result.path("sha256").textValue()).as("%s", result).isEqualTo(sha256(script.output()));
            assertThat(result.get("exitCode").intValue()).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @EnumSource
    void eventsThatAreNotPushedAreRead(Language language) throws Exception {
        DisorderedServer script = DisorderedServer.leavingOut(300, 101);
        try (FakeExecServer server = FakeExecServer.saying(script)) {
            JsonNode result = language.driver().act(server.url(), "output", args("any"), NOTHING);

            assertThat(result.path("sha256").textValue()).as("%s", result).isEqualTo(sha256(script.output()));
            assertThat(result.get("exitCode").intValue()).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyByteOfOutputArrivesOnceThoughTheConnectionIsCut(Language language) throws Exception {
        String script =
                "for i in $(seq 1 " + PIECES + "); do seq $((i * 1000)) $((i * 1000 + 20000)); sleep 0.02; done";
        Process local = new ProcessBuilder("sh", "-c", script.replace("sleep 0.02", ":")).start();
        String expected = sha256(local.getInputStream().readAllBytes());
        try (UnreliableLink link = UnreliableLink.to(SERVER.port())) {
            JsonNode result =
                    language.driver().act("ws://127.0.0.1:" + link.port(), "output", sh(script), () -> cut(link));

            assertThat(result.path("sha256").textValue()).as("%s", result).isEqualTo(expected);
            assertThat(result.get("exitCode").intValue()).isZero();
            assertThat(link.troubles()).isGreaterThan(CUTS / 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyByteOfInputIsWrittenOnceThoughTheConnectionIsCut(Language language) throws Exception {
        try (UnreliableLink link = UnreliableLink.to(SERVER.port())) {
            ObjectNode args = Json.object("pieces", 400, "repeat", 10_000);
            JsonNode result = language.driver().act("ws://127.0.0.1:" + link.port(), "echo", args, () -> cut(link));

            assertThat(result.path("same").booleanValue()).as("%s", result).isTrue();
            assertThat(result.get("exitCode").intValue()).isZero();
            assertThat(link.troubles()).isPositive();
        }
    }

    /** Cuts connections on a thread of its own. A cut that hits a handshake counts too. */
    private static void cut(UnreliableLink link) {
        Thread.ofVirtual().start(() -> {
            Random random = new Random(3);
            while (link.troubles() < CUTS) {
                link.trouble(random.nextBoolean() ? Trouble.CUT : Trouble.TRUNCATE, random);
                LockSupport.parkNanos(40_000_000L + random.nextInt(60_000_000));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void oneStreamIsReadToItsEndThoughTheOtherOneIsNotRead(Language language) throws Exception {
        JsonNode result =
                language.driver().act(url(), "stderrOnly", sh("head -c 8000000 /dev/zero; echo e >&2"), NOTHING);

        assertThat(result.path("stderrBytes").intValue()).as("%s", result).isEqualTo(2);
        assertThat(result.get("stdoutBytes").intValue()).isEqualTo(8_000_000);
    }

    @ParameterizedTest
    @EnumSource
    void aTerminalHasTheSizeThatItIsGivenAndTakesInput(Language language) throws Exception {
        JsonNode result = language.driver().act(url(), "terminal", Json.object(), NOTHING);

        assertThat(result.path("text").textValue()).isEqualTo("20 90\r\nwörd\r\n43 132\r\ngot wörd\r\n");
    }

    @ParameterizedTest
    @EnumSource
    void aHandleThatWasClosedReachesNoProcess(Language language) throws Exception {
        JsonNode result = language.driver().act(url(), "stale", Json.object(), NOTHING);

        assertThat(result.path("failures")).as("%s", result).hasSize(3);
        assertThat(result.get("failures"))
                .allSatisfy(failure -> assertThat(failure.textValue())
                        .isIn("StaleHandleError", "StaleHandleException", "StdinClosedException"));
        assertThat(result.get("left").intValue()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aSandboxKeepsTheProgramFromWritingAndSaysSo(Language language) throws Exception {
        ObjectNode args = args("sh", "-c", "echo x > /usr/not-there");
        args.setAll((ObjectNode) Json.parse(READ_ONLY));
        JsonNode result = language.driver().act(url(), "output", args, NOTHING);

        assertThat(result.path("sandboxDenied").booleanValue()).as("%s", result).isTrue();
        assertThat(result.get("denial").textValue()).isEqualTo("fileWrite");
    }

    @ParameterizedTest
    @EnumSource
    void aTimeLimitEndsTheProgramAndIsTheReason(Language language) throws Exception {
        JsonNode result =
                language.driver().act(url(), "output", args("sleep", "300").put("timeoutMs", 200), NOTHING);

        assertThat(result.path("reason").textValue()).as("%s", result).isEqualTo("timeout");
    }

    @ParameterizedTest
    @EnumSource
    void theUserIsAskedAboutAProgramAndTheAnswerDecides(Language language) throws Exception {
        ObjectNode args =
                args("sh", "-c", "env printenv -0 >&2; echo $?").put("rules", "prefix_rule(['printenv'], 'prompt')");
        JsonNode denied = language.driver().act(url(), "approval", args.put("decision", "deny"), NOTHING);
        JsonNode run = language.driver().act(url(), "approval", args.put("decision", "run"), NOTHING);

        assertThat(denied.path("asked")).as("%s", denied).hasSize(1);
        assertThat(denied.get("text").textValue()).isEqualTo("126\n");
        assertThat(run.path("text").textValue()).as("%s", run).isEqualTo("0\n");
    }

    @ParameterizedTest
    @EnumSource
    void filesAreWrittenReadRenamedListedAndWatched(Language language) throws Exception {
        ObjectNode args = Json.object("directory", directory.toString(), "largeBytes", 20_000_000);
        JsonNode result = language.driver().act(url(), "files", args, NOTHING);

        assertThat(result.path("seen")).as("%s", result).isNotEmpty();
        assertThat(result.get("seen").get(0).textValue()).isEqualTo(directory + "/für 100%");
        assertThat(result.get("names")).isEqualTo(Json.value(List.of("für 100%", "renamed")));
        assertThat(result.get("same").booleanValue()).isTrue();
        assertThat(result.get("size").intValue()).isEqualTo(20_000_000);
        assertThat(result.get("missing").textValue()).isIn("NotFoundError", "RequestFailedException");
    }

    @ParameterizedTest
    @EnumSource
    void aWrongTokenIsRefused(Language language) throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "right");
        try (ServerProcess server =
                ServerProcess.listening("--ws-auth", "capability-token", "--ws-token-file", token.toString())) {
            String url = "ws://127.0.0.1:" + server.port();
            JsonNode wrong = language.driver().act(url, "output", args("true").put("token", "wrong"), NOTHING);
            JsonNode right = language.driver().act(url, "output", args("true").put("token", "right"), NOTHING);

            assertThat(wrong.path("error").textValue()).as("%s", wrong).isIn("UpgradeRefused", "ConnectFailed");
            assertThat(wrong.get("message").textValue()).contains("401");
            assertThat(right.path("exitCode").intValue()).as("%s", right).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatEndsTellsTheLastOutputAndTheExit(Language language) throws Exception {
        try (ServerProcess server = ServerProcess.listening("--shutdown-grace", "10s")) {
            String script = "trap 'echo bye; exit 9' TERM; echo up; while :; do sleep 0.05; done";
            JsonNode result = language.driver()
                    .act(
                            "ws://127.0.0.1:" + server.port(),
                            "output",
                            sh(script),
                            () -> Thread.ofVirtual().start(() -> stopWhenItRuns(server)));

            assertThat(result.path("exitCode").intValue()).as("%s", result).isEqualTo(9);
            assertThat(result.get("sha256").textValue()).isEqualTo(sha256("up\nbye\n".getBytes(UTF_8)));
        }
    }

    /** The script must have set its trap; its shell has a child then. */
    private static void stopWhenItRuns(ServerProcess server) {
        while (ProcessHandle.of(server.pid()).orElseThrow().descendants().noneMatch(ClientScenariosIT::sleeps)) {
            LockSupport.parkNanos(10_000_000L);
        }
        server.stop();
    }

    private static boolean sleeps(ProcessHandle process) {
        return process.info().command().filter(name -> name.endsWith("/sleep")).isPresent();
    }

    @ParameterizedTest
    @EnumSource
    void aStartWhoseAnswerIsLostIsNotRepeated(Language language) throws Exception {
        AtomicInteger starts = new AtomicInteger();
        try (FakeExecServer server = FakeExecServer.saying((link, method, id, params) -> {
            switch (method) {
                case "initialize" -> link.result(id, FakeExecServer.greeting("s1"));
                case "process/start" -> {
                    starts.incrementAndGet();
                    throw new IOException("the connection is cut here");
                }
                default -> link.result(id, Json.object());
            }
        })) {
            JsonNode result = language.driver().act(server.url(), "output", args("any"), NOTHING);

            assertThat(result.path("error").textValue()).as("%s", result).isEqualTo("ConnectionLost");
            assertThat(starts).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSessionThatTheServerDoesNotKnowAnyMoreIsLostAtOnce(Language language) throws Exception {
        try (FakeExecServer server = FakeExecServer.saying((link, method, id, params) -> {
            switch (method) {
                case "initialize" -> {
                    if (params.hasNonNull("resumeSessionId")) {
                        link.error(id, -32600, "unknown session id s1");
                    } else {
                        link.result(id, FakeExecServer.greeting("s1"));
                    }
                }
                case "process/start" -> {
                    link.result(id, Json.object("processId", params.get("processId")));
                    throw new IOException("the connection is cut here");
                }
                default -> link.result(id, Json.object());
            }
        })) {
            JsonNode result = language.driver().act(server.url(), "output", args("any"), NOTHING);

            boolean lost = result.path("lost").asText("").contains("s1 is gone");
            assertThat(lost || result.path("error").asText("").equals("SessionLost"))
                    .as("%s", result)
                    .isTrue();
        }
    }
}
