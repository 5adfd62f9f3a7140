package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Call;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** One call instead of polling: {@code process/wait}. */
@Timeout(60)
class ProcessWaitIT {

    private static final String SERVE = """
            import socket, sys, time
            sys.stdin.readline()
            s = socket.socket(); s.bind(("127.0.0.1", int(sys.argv[1]))); s.listen()
            time.sleep(1000)
            """;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private WireClient client;

    @BeforeEach
    void connect() {
        client = SERVER.client();
    }

    private Call begin(RemoteProcess process, ObjectNode until, long limitMs) {
        return client.send("process/wait", Json.object("processId", process.id(), "until", until, "limitMs", limitMs));
    }

    private JsonNode await(RemoteProcess process, ObjectNode until) {
        return begin(process, until, 30_000).answer(Duration.ofSeconds(40)).result();
    }

    @Test
    void theExitAndTheEndOfTheOutputAreWaitedFor() {
        RemoteProcess process = client.start(Start.shell("sleep 1 & exit 5"));
        JsonNode exit = await(process, Json.object("exit", true));
        assertThat(exit.get("met").booleanValue()).isTrue();
        assertThat(exit.get("exitCode").intValue()).isEqualTo(5);
        JsonNode closed = await(process, Json.object("closed", true));
        assertThat(closed.get("met").booleanValue()).isTrue();
        assertThat(closed.get("closed").booleanValue()).isTrue();
    }

    @Test
    void aTextIsFoundAlsoWhenItComesInPieces() {
        RemoteProcess process = client.start(Start.of("cat").stdin());
        Call wait = begin(process, Json.object("text", "server is rëady"), 30_000);
        process.write("the server i");
        process.awaitText("server i");
        process.write("s rëa");
        process.awaitText("rëa");
        process.write("dy\n");
        JsonNode found = wait.answer().result();
        assertThat(found.get("met").booleanValue()).isTrue();
        assertThat(found.get("match").textValue()).isEqualTo("server is rëady");
        assertThat(found.get("seq").longValue()).isPositive();
        assertThat(found.get("exited").booleanValue()).isFalse();
    }

    @Test
    void aRegularExpressionFindsALineAndWhatWasWrittenBefore() {
        RemoteProcess process = client.start(Start.shell("echo listening on 4711; exec sleep 1000"));
        process.awaitText("4711");
        JsonNode found = await(process, Json.object("regex", "^listening on (\\d+)$"));
        assertThat(found.get("match").textValue()).isEqualTo("listening on 4711");
        JsonNode late = client.send(
                        "process/wait",
                        Json.object(
                                "processId",
                                process.id(),
                                "until",
                                Json.object("text", "listening"),
                                "afterSeq",
                                1,
                                "limitMs",
                                200))
                .answer()
                .result();
        assertThat(late.get("met").booleanValue()).isFalse();
    }

    @Test
    void aWaitEndsWhenTheProcessEndsWithoutTheText() {
        RemoteProcess process = client.start(Start.shell("echo something else; exit 1"));
        JsonNode over = await(process, Json.object("text", "ready"));
        assertThat(over.get("met").booleanValue()).isFalse();
        assertThat(over.get("closed").booleanValue()).isTrue();
        assertThat(over.get("exitCode").intValue()).isEqualTo(1);
    }

    @Test
    void silenceIsWaitedFor() {
        RemoteProcess process =
                client.start(Start.shell("for i in 1 2 3 4 5 6; do echo $i; sleep 0.1; done; exec sleep 1000"));
        JsonNode idle = await(process, Json.object("idleMs", 1_500));
        assertThat(idle.get("met").booleanValue()).isTrue();
        assertThat(process.text()).contains("6");
    }

    @Test
    void aPortIsWaitedFor() throws Exception {
        int port = freePort();
        RemoteProcess process = client.start(
                Start.of("python3", "-c", SERVE, String.valueOf(port)).stdin());
        assertThat(begin(process, Json.object("port", port), 300)
                        .answer()
                        .result()
                        .get("met")
                        .booleanValue())
                .isFalse();
        Call wait = begin(process, Json.object("port", port), 30_000);
        process.write("go\n");
        assertThat(wait.answer(Duration.ofSeconds(40)).result().get("met").booleanValue())
                .isTrue();
    }

    @Test
    void aPortCountsInTheNetworkOfTheProcessOnly(@TempDir Path directory) throws Exception {
        try (ServerSocket outside = new ServerSocket(0)) {
            int port = outside.getLocalPort();
            RemoteProcess process = client.start(
                    ManagedNetwork.confined(Start.of("python3", "-c", SERVE, String.valueOf(port)), directory)
                            .stdin()
                            .env("http_proxy", "http://127.0.0.1:9"));
            assertThat(begin(process, Json.object("port", port), 500)
                            .answer()
                            .result()
                            .get("met")
                            .booleanValue())
                    .isFalse();
            Call wait = begin(process, Json.object("port", port), 30_000);
            process.write("go\n");
            assertThat(wait.answer(Duration.ofSeconds(40)).result().get("met").booleanValue())
                    .isTrue();
        }
    }

    @Test
    void aHostilePatternIsRefusedAndHoldsNothing() {
        RemoteProcess process = client.start(Start.shell("printf '%05000d' 0 | tr 0 a; exec sleep 1000"));
        process.awaitText("aaaa");
        Answer answer =
                begin(process, Json.object("regex", "(a|a)*(a*)*b"), 30_000).answer();
        assertThat(answer.errorCode()).isEqualTo(-32602);
        assertThat(answer.errorMessage()).startsWith("until.regex takes too many steps");
        client.roundTrip();
    }

    @Test
    void conditionsThatAreNoneAreRefused() {
        RemoteProcess process = client.start(Start.of("sleep", "1000"));
        assertThat(begin(process, Json.object(), 1).answer().errorMessage()).startsWith("until must have one of");
        assertThat(begin(process, Json.object("exit", true, "closed", true), 1)
                        .answer()
                        .errorMessage())
                .startsWith("until must have one of");
        assertThat(begin(process, Json.object("regex", "("), 1).answer().errorMessage())
                .startsWith("until.regex is no regular expression");
        assertThat(begin(process, Json.object("text", ""), 1).answer().errorMessage())
                .contains("1 to 1000 characters");
        assertThat(begin(process, Json.object("port", 0), 1).answer().errorMessage())
                .contains("between 1 and 65535");
    }

    @Test
    void aProcessOfAnotherSessionIsWaitedForByItsId() {
        WireClient driver = SERVER.silentClient();
        String session = driver.send("initialize", Json.object("clientName", "it-tests"))
                .answer()
                .result()
                .get("sessionId")
                .textValue();
        driver.notify("initialized", Json.object());
        RemoteProcess process = driver.start(Start.of("cat").stdin());
        Call wait = client.send(
                "process/wait",
                Json.object("sessionId", session, "processId", process.id(), "until", Json.object("text", "hello")));
        process.write("hello\n");
        assertThat(wait.answer().result().get("met").booleanValue()).isTrue();
        process.awaitText("hello");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
