package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Call;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Observers of a process: they see its output and its end, and change nothing. */
@Timeout(60)
class ObserverIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with("--output-retention-bytes", "16MiB");

    private static String session(WireClient client) {
        String id = client.send("initialize", Json.object("clientName", "it-tests"))
                .answer()
                .result()
                .get("sessionId")
                .textValue();
        client.notify("initialized", Json.object());
        return id;
    }

    private static JsonNode look(WireClient client, String session, String process, Object... members) {
        Object[] all = new Object[members.length + 4];
        all[0] = "sessionId";
        all[1] = session;
        all[2] = "processId";
        all[3] = process;
        System.arraycopy(members, 0, all, 4, members.length);
        return client.call("session/observe", all).result();
    }

    private static String text(JsonNode look) {
        return new String(RemoteProcess.bytes(look.get("output")), UTF_8);
    }

    @Test
    void severalObserversSeeOutputAndEndWhileTheClientStaysWhereItIs() {
        WireClient driver = SERVER.silentClient();
        String session = session(driver);
        RemoteProcess process = driver.start(
                Start.shell("echo one; read -r line; echo $line; exit 3").stdin());
        process.awaitText("one");
        List<WireClient> observers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            observers.add(SERVER.client());
        }
        for (WireClient observer : observers) {
            assertThat(text(look(observer, session, process.id()))).isEqualTo("one\n");
        }
        List<Call> waiting = observers.stream()
                .map(observer -> observer.send(
                        "session/observe",
                        Json.object("sessionId", session, "processId", process.id(), "afterSeq", 1, "waitMs", 30_000)))
                .toList();
        assertThat(process.write("two\n")).isEqualTo("accepted");
        process.awaitText("two");
        for (Call call : waiting) {
            assertThat(text(call.answer().result())).isEqualTo("two\n");
        }
        process.closed();
        JsonNode end = look(observers.getFirst(), session, process.id(), "afterSeq", 2);
        assertThat(end.get("output").get("exitCode").intValue()).isEqualTo(3);
        assertThat(end.get("output").get("closed").booleanValue()).isTrue();
        assertThat(observers)
                .allSatisfy(observer -> assertThat(observer.strayCount()).isZero());
    }

    @Test
    void anObserverBeginsWithTheLastOutputAndLearnsWhatItPassesOver() {
        WireClient driver = SERVER.silentClient();
        String session = session(driver);
        RemoteProcess process =
                driver.start(Start.shell("for i in 1 2 3 4 5; do echo line $i; sleep 0.05; done; exec sleep 1000"));
        process.awaitText("line 5");
        WireClient observer = SERVER.client();
        JsonNode last = look(observer, session, process.id(), "lastBytes", 7);
        assertThat(text(last)).endsWith("line 5\n");
        assertThat(last.get("endOffset").longValue()).isEqualTo(35);
        assertThat(last.get("offset").longValue())
                .isEqualTo(35 - text(last).length())
                .isPositive();
        JsonNode nothing = look(observer, session, process.id(), "lastBytes", 0);
        assertThat(text(nothing)).isEmpty();
        assertThat(nothing.get("output").get("nextSeq").longValue())
                .isEqualTo(last.get("output").get("nextSeq").longValue());
    }

    /** Law 8: the output is held for the client, and an observer is not the client. */
    @Test
    void whatAnObserverSeesDoesNotCountAsDelivered() {
        WireClient driver = SERVER.silentClient();
        String session = session(driver);
        RemoteProcess process =
                driver.start(Start.shell("seq 1 4000000; echo end").with("push", false));
        WireClient observer = SERVER.client();
        long cursor = 0;
        long seen = 0;
        for (JsonNode look = look(observer, session, process.id(), "waitMs", 5_000);
                look.get("output").get("chunks").size() > 0;
                look = look(observer, session, process.id(), "afterSeq", cursor, "waitMs", 2_000)) {
            assertThat(look.get("offset").longValue()).isEqualTo(seen);
            seen = look.get("endOffset").longValue();
            cursor = look.get("output").get("nextSeq").longValue() - 1;
        }
        assertThat(seen).as("the process is held at its bound").isBetween(15_000_000L, 25_000_000L);

        ByteArrayOutputStream all = new ByteArrayOutputStream();
        long after = 0;
        JsonNode read;
        do {
            read = driver.call("process/read", "processId", process.id(), "afterSeq", after, "waitMs", 1_000)
                    .result();
            assertThat(read.has("firstSeq")).isFalse();
            all.writeBytes(RemoteProcess.bytes(read));
            after = read.get("nextSeq").longValue() - 1;
        } while (!read.get("closed").booleanValue());
        assertThat(all.toString(UTF_8)).startsWith("1\n2\n3\n").endsWith("4000000\nend\n");
    }

    @Test
    void anObserverThatIsSlowPassesOverOutputInsteadOfHoldingTheProcessUp() {
        WireClient driver = SERVER.silentClient();
        String session = session(driver);
        RemoteProcess process = driver.start(Start.shell("echo first; sleep 0.2; yes | head -c 60000000"));
        WireClient observer = SERVER.client();
        JsonNode first = look(observer, session, process.id(), "waitMs", 5_000);
        assertThat(text(first)).startsWith("first");
        process.closed(Duration.ofSeconds(30));
        await().until(() -> look(observer, session, process.id(), "afterSeq", 1)
                        .get("offset")
                        .longValue()
                > 40_000_000);
        JsonNode late = look(observer, session, process.id(), "afterSeq", 1, "lastBytes", 1);
        assertThat(late.get("output").has("firstSeq")).isTrue();
        assertThat(late.get("endOffset").longValue()).isEqualTo(60_000_006);
        assertThat(late.get("output").get("closed").booleanValue()).isTrue();
    }

    @Test
    void anObserverThatHasGoneLeavesNothing() {
        WireClient driver = SERVER.silentClient();
        String session = session(driver);
        RemoteProcess process = driver.start(Start.of("cat").stdin());
        WireClient observer = SERVER.client();
        observer.send(
                "session/observe", Json.object("sessionId", session, "processId", process.id(), "waitMs", 60_000));
        observer.cut();
        assertThat(process.write("x\n")).isEqualTo("accepted");
        process.awaitText("x");
    }

    @Test
    void unknownSessionsAndProcessesAreRefused() {
        WireClient driver = SERVER.silentClient();
        String session = session(driver);
        WireClient observer = SERVER.client();
        Answer noSession = observer.call("session/observe", "sessionId", "nobody", "processId", "p");
        assertThat(noSession.errorCode()).isEqualTo(-32600);
        assertThat(noSession.errorMessage()).isEqualTo("unknown session id nobody");
        Answer noProcess = observer.call("session/observe", "sessionId", session, "processId", "p");
        assertThat(noProcess.errorMessage()).isEqualTo("unknown process id p");
        assertThat(observer.call("session/observe", "sessionId", session).errorMessage())
                .contains("missing field `processId`");
    }
}
