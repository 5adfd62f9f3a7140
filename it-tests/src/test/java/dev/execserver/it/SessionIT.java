package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Call;
import dev.execserver.it.support.Event;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sessions that outlive their connection: detach, resume, takeover, time to live. */
@Timeout(60)
class SessionIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with("--session-ttl", "20s", "--session-ttl-max", "10m");

    private static Answer initialize(WireClient client, Object... members) {
        var params = Json.object(members);
        params.put("clientName", "it-tests");
        return client.send("initialize", params).answer(Duration.ofSeconds(10));
    }

    private static WireClient resumed(String sessionId) {
        WireClient client = SERVER.silentClient();
        await().until(() -> !initialize(client, "resumeSessionId", sessionId).failed());
        client.notify("initialized", Json.object());
        return client;
    }

    private static String session(WireClient client) {
        String id = initialize(client).result().get("sessionId").textValue();
        client.notify("initialized", Json.object());
        return id;
    }

    private static JsonNode read(WireClient client, String processId, long afterSeq, int waitMs) {
        return client.call("process/read", "processId", processId, "afterSeq", afterSeq, "waitMs", waitMs)
                .result();
    }

    @Test
    void b22_afterACutEveryLineIsThereWithoutAHole() {
        WireClient first = SERVER.silentClient();
        String session = session(first);
        RemoteProcess process =
                first.start(Start.shell("i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo line$i; sleep 0.1; done"));
        process.awaitText("line5");
        first.cut();

        WireClient second = resumed(session);
        long cursor = 0;
        StringBuilder text = new StringBuilder();
        JsonNode answer;
        do {
            answer = read(second, process.id(), cursor, 1000);
            for (JsonNode chunk : answer.get("chunks")) {
                assertThat(chunk.get("seq").longValue()).isEqualTo(++cursor);
                text.append(new String(Json.bytes(chunk.get("chunk")), StandardCharsets.UTF_8));
            }
        } while (!answer.get("closed").booleanValue());
        assertThat(text.toString().lines())
                .isEqualTo(
                        IntStream.rangeClosed(1, 30).mapToObj(i -> "line" + i).collect(Collectors.toList()));
    }

    @Test
    void eventsAfterTheCatchUpReadArePushedToTheNewConnection() {
        WireClient first = SERVER.silentClient();
        String session = session(first);
        RemoteProcess process = first.start(Start.of("cat").stdin());
        assertThat(process.write("before\n")).isEqualTo("accepted");
        process.awaitText("before");
        first.cut();

        WireClient second = resumed(session);
        JsonNode caughtUp = read(second, process.id(), 0, 0);
        second.call(
                "process/write", "processId", process.id(), "chunk", Json.base64("after\n".getBytes()), "writeId", "n");
        await().untilAsserted(() -> assertThat(
                        new String(second.events(process.id()).output(), StandardCharsets.UTF_8))
                .isEqualTo("after\n"));
        assertThat(second.events(process.id()).all().getFirst().seq())
                .isEqualTo(caughtUp.get("nextSeq").longValue());
    }

    @Test
    void afterAResumePushingGoesOnBehindTheAnswerToTheCatchUpRead() {
        WireClient first = SERVER.silentClient();
        String session = session(first);
        RemoteProcess process = first.start(Start.shell("while :; do echo x; sleep 0.01; done"));
        process.awaitText("x");
        first.cut();

        WireClient second = resumed(session);
        JsonNode answer = read(second, process.id(), 0, 0);
        long nextSeq = answer.get("nextSeq").longValue();
        await().until(() -> !pushedFrom(nextSeq, second, process).isEmpty());
        assertThat(pushedFrom(nextSeq, second, process).getFirst().seq()).isEqualTo(nextSeq);
    }

    /** Who reads late, on a busy machine, was pushed some events before. */
    private static List<Event> pushedFrom(long seq, WireClient client, RemoteProcess process) {
        return client.events(process.id()).all().stream()
                .filter(event -> event.seq() >= seq)
                .toList();
    }

    @Test
    void moreThanOneAnswerTakesOfAProcessThatEndedMeanwhileArrivesWholeAndItsEndComesLast() {
        String mark = UUID.randomUUID().toString();
        WireClient first = SERVER.silentClient();
        String session = session(first);
        RemoteProcess process =
                first.start(Start.shell("echo first; sleep 1; seq 1 1900000").mark(mark));
        process.awaitText("first");
        first.cut();
        await().atMost(Duration.ofSeconds(30)).until(() -> ProcFs.marked(mark).isEmpty());

        WireClient second = resumed(session);
        JsonNode answer = read(second, process.id(), 1, 0);
        long nextSeq = answer.get("nextSeq").longValue();
        assertThat(answer.get("chunks")
                        .get(answer.get("chunks").size() - 1)
                        .get("seq")
                        .longValue())
                .isEqualTo(nextSeq - 1);
        assertThat(answer.get("exited").booleanValue()).isFalse();
        assertThat(answer.get("closed").booleanValue()).isFalse();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> !second.events(process.id()).of("closed").isEmpty());
        List<Event> pushed = pushedFrom(nextSeq, second, process);
        assertThat(pushed)
                .extracting(Event::seq)
                .isEqualTo(LongStream.range(nextSeq, nextSeq + pushed.size())
                        .boxed()
                        .toList());
        assertThat(second.events(process.id()).of("exited")).hasSize(1);
        assertThat(RemoteProcess.bytes(answer).length
                        + pushed.stream().mapToLong(Event::size).sum())
                .isEqualTo(14_088_896L);
    }

    @Test
    void aFastStreamArrivesCompleteAcrossACut() {
        int bytes = 60_000_000;
        WireClient first = SERVER.silentClient();
        String session = session(first);
        RemoteProcess process = first.start(Start.shell("seq 1 100000000 | head -c " + bytes));
        await().until(() -> process.events().bytes() > 2_000_000);
        first.cut();
        long received = process.events().bytes();
        long lastSeq = process.events().all().getLast().seq();

        WireClient second = resumed(session);
        long caughtUp = 0;
        JsonNode answer = read(second, process.id(), lastSeq, 0);
        assertThat(answer.has("firstSeq")).isFalse();
        for (JsonNode chunk : answer.get("chunks")) {
            assertThat(chunk.get("seq").longValue()).isEqualTo(++lastSeq);
            caughtUp += Json.bytes(chunk.get("chunk")).length;
        }
        long nextSeq = lastSeq + 1;
        long expected = bytes - received - caughtUp;
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(pushedFrom(nextSeq, second, process).stream()
                            .mapToLong(Event::size)
                            .sum())
                    .isEqualTo(expected);
            assertThat(second.events(process.id()).of("closed")).hasSize(1);
        });
    }

    @Test
    void b21_aWriteThatIsRepeatedAfterAResumeIsAppliedOnce() {
        WireClient first = SERVER.silentClient();
        String session = session(first);
        RemoteProcess process = first.start(Start.of("cat").stdin());
        Object[] write = {"processId", process.id(), "chunk", Json.base64("A".getBytes()), "writeId", "1"};
        first.call("process/write", write).result();
        first.cut();

        WireClient second = resumed(session);
        assertThat(second.call("process/write", write).result().get("status").textValue())
                .isEqualTo("accepted");
        second.call("process/write", "processId", process.id(), "chunk", Json.base64("B".getBytes()), "writeId", "2");
        second.call("process/closeStdin", "processId", process.id()).result();
        await().until(() -> read(second, process.id(), 0, 1000).get("closed").booleanValue());
        assertThat(RemoteProcess.bytes(read(second, process.id(), 0, 0)))
                .asString()
                .isEqualTo("AB");
    }

    @Test
    void b24_anAttachedSessionIsRefusedByDefault() {
        WireClient first = SERVER.silentClient();
        String session = session(first);
        Answer refused = initialize(SERVER.silentClient(), "resumeSessionId", session);
        assertThat(refused.errorCode()).isEqualTo(-32010);
        assertThat(refused.errorMessage())
                .isEqualTo("session " + session + " is already attached to another connection");
        first.roundTrip();
    }

    @Test
    void b24_takeoverWinsTheOldConnectionIsToldWhyAndItsLongPollsEnd() {
        WireClient first = SERVER.silentClient();
        String session = session(first);
        RemoteProcess process = first.start(Start.of("sleep", "30"));
        Call poll = process.sendRead(0, null, 20_000);

        WireClient second = SERVER.silentClient();
        initialize(second, "resumeSessionId", session, "takeover", true).result();
        second.notify("initialized", Json.object());

        assertThat(poll.answer().errorMessage()).isEqualTo("session has been resumed by another connection");
        WireClient.Ending ending = first.ending(Duration.ofSeconds(10));
        assertThat(ending.code()).isEqualTo(1008);
        assertThat(ending.reason()).isEqualTo("session has been resumed by another connection");
        assertThat(second.call("process/terminate", "processId", process.id())
                        .result()
                        .get("running")
                        .booleanValue())
                .isTrue();
    }

    @Test
    void b24_whoeverAsksInAStormOfTakeoversIsAnsweredBeforeItIsClosed() {
        WireClient first = SERVER.silentClient();
        String session = session(first);
        for (int round = 0; round < 5; round++) {
            List<Call> asked = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                WireClient client = SERVER.silentClient();
                asked.add(client.send(
                        "initialize",
                        Json.object("clientName", "it-tests", "resumeSessionId", session, "takeover", true)));
            }
            for (Call call : asked) {
                Answer answer = call.answer(Duration.ofSeconds(10));
                assertThat(answer.failed() ? answer.errorCode() : -32010).isEqualTo(-32010);
            }
        }
    }

    @Test
    void anOldConnectionThatGivesNoSignOfLifeLosesItsSession() {
        WireClient first = SERVER.silentClient().ignorePings();
        String session = session(first);
        Answer resumed = initialize(SERVER.silentClient(), "resumeSessionId", session);
        assertThat(resumed.result().get("sessionId").textValue()).isEqualTo(session);
        first.ending(Duration.ofSeconds(10));
    }

    @Test
    void unknownSessionsAreUnknown() {
        for (String id : new String[] {"", UUID.randomUUID().toString()}) {
            Answer answer = initialize(SERVER.silentClient(), "resumeSessionId", id);
            assertThat(answer.errorCode()).isEqualTo(-32600);
            assertThat(answer.errorMessage()).isEqualTo("unknown session id " + id);
        }
    }

    @Test
    void b23_processesOfADetachedSessionLiveUntilItsTimeIsOver() {
        String mark = UUID.randomUUID().toString();
        WireClient first = SERVER.silentClient();
        JsonNode result = initialize(first, "sessionTtlMs", 1500).result();
        assertThat(result.get("sessionTtlMs").longValue()).isEqualTo(1500);
        first.notify("initialized", Json.object());
        first.start(Start.shell("setsid sleep 60 & sleep 60").mark(mark));
        first.cut();

        await().until(() -> !ProcFs.marked(mark).isEmpty());
        await().atMost(Duration.ofSeconds(10)).until(() -> ProcFs.marked(mark).isEmpty());
        Answer late = initialize(
                SERVER.silentClient(),
                "resumeSessionId",
                result.get("sessionId").textValue());
        assertThat(late.errorMessage()).startsWith("unknown session id");
    }

    @Test
    void b23_theListShowsWhatLivesAfterComingBack() {
        WireClient first = SERVER.silentClient();
        String session = session(first);
        RemoteProcess process = first.start(Start.of("sleep", "30"));
        first.cut();
        JsonNode processes = resumed(session).call("process/list").result().get("processes");
        assertThat(processes).hasSize(1);
        assertThat(processes.get(0).get("processId").textValue()).isEqualTo(process.id());
        assertThat(processes.get(0).get("running").booleanValue()).isTrue();
    }

    @Test
    void aTimeToLiveAboveTheMaximumIsCutToIt() {
        JsonNode result = initialize(SERVER.silentClient(), "sessionTtlMs", Long.MAX_VALUE)
                .result();
        assertThat(result.get("sessionTtlMs").longValue()).isEqualTo(600_000);
    }

    @Test
    void withATimeToLiveOfZeroTheSessionEndsWithItsConnection() {
        String mark = UUID.randomUUID().toString();
        WireClient first = SERVER.silentClient();
        String session =
                initialize(first, "sessionTtlMs", 0).result().get("sessionId").textValue();
        first.notify("initialized", Json.object());
        first.start(Start.of("sleep", "60").mark(mark));
        first.cut();
        await().atMost(Duration.ofSeconds(10)).until(() -> ProcFs.marked(mark).isEmpty());
        assertThat(initialize(SERVER.silentClient(), "resumeSessionId", session).errorMessage())
                .startsWith("unknown session id");
    }

    @Test
    void aProcessThatEndedWhileNobodyWasThereIsReadableAfterwards() {
        WireClient first = SERVER.silentClient();
        String session = session(first);
        RemoteProcess process = first.start(Start.shell("sleep 0.3; echo last words; exit 7"));
        first.cut();
        WireClient second = resumed(session);
        await().until(() -> read(second, process.id(), 0, 1000).get("closed").booleanValue());
        JsonNode answer = read(second, process.id(), 0, 0);
        assertThat(RemoteProcess.bytes(answer)).asString().isEqualTo("last words\n");
        assertThat(answer.get("exitCode").intValue()).isEqualTo(7);
    }

    @Test
    void aProcessWhoseStartAnswerWasLostIsEndedByTerminate() {
        String mark = UUID.randomUUID().toString();
        WireClient first = SERVER.silentClient();
        String session = session(first);
        RemoteProcess process = first.sendStart(Start.of("sleep", "60").mark(mark));
        first.roundTrip();
        first.cut();
        WireClient second = resumed(session);
        second.call("process/terminate", "processId", process.id()).result();
        await().atMost(Duration.ofSeconds(10)).until(() -> ProcFs.marked(mark).isEmpty());
    }

    @Test
    void b07_aWholeFileThatNobodyReadIsRetainedOrItsGapIsDeclared() {
        WireClient client = SERVER.client().countOnly();
        RemoteProcess process = client.start(Start.shell("head -c 67108864 /dev/zero"));
        process.closed(Duration.ofSeconds(30));
        long retained = 0;
        long cursor = 0;
        long dropped = 0;
        JsonNode answer;
        do {
            answer = read(client, process.id(), cursor, 0);
            dropped = Math.max(dropped, answer.path("droppedBytes").asLong(0));
            for (JsonNode chunk : answer.get("chunks")) {
                retained += Json.bytes(chunk.get("chunk")).length;
            }
            cursor = answer.get("nextSeq").longValue() - 1;
        } while (!answer.get("chunks").isEmpty());
        assertThat(retained + dropped).isEqualTo(67_108_864L);
        assertThat(retained).isGreaterThan(60_000_000L);
    }
}
