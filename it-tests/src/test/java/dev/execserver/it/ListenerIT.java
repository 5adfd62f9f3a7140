package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Event;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients that resume and never call {@code process/read}: they hear everything by notifications alone. */
@Timeout(90)
class ListenerIT {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with("--session-ttl", "60s");

    private static String session(WireClient client) {
        String id = initialize(client).result().get("sessionId").textValue();
        client.notify("initialized", Json.object());
        return id;
    }

    private static Answer initialize(WireClient client, Object... members) {
        var params = Json.object(members);
        params.put("clientName", "listener");
        return client.send("initialize", params).answer(Duration.ofSeconds(10));
    }

    private static WireClient resumed(String sessionId) {
        WireClient client = SERVER.silentClient();
        await().until(() -> !initialize(client, "resumeSessionId", sessionId).failed());
        client.notify("initialized", Json.object());
        return client;
    }

    private static void write(WireClient client, RemoteProcess process, String text) {
        Answer answer = client.call(
                "process/write",
                "processId",
                process.id(),
                "chunk",
                Json.base64(text.getBytes(StandardCharsets.UTF_8)),
                "writeId",
                UUID.randomUUID().toString());
        assertThat(answer.result().get("status").textValue()).isEqualTo("accepted");
    }

    private static String heard(WireClient client, RemoteProcess process) {
        return new String(client.events(process.id()).output(), StandardCharsets.UTF_8);
    }

    private static void awaitText(WireClient client, RemoteProcess process, String text) {
        await("hears " + text)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(heard(client, process)).contains(text));
    }

    private static List<Long> numbers(WireClient client, RemoteProcess process) {
        return client.events(process.id()).all().stream().map(Event::seq).toList();
    }

    @Test
    void whatIsWrittenAfterAResumeIsAnsweredByTheProgram() {
        WireClient first = SERVER.silentClient();
        String session = session(first);
        RemoteProcess process = first.start(Start.of("cat").stdin());
        assertThat(process.write("before\n")).isEqualTo("accepted");
        process.awaitText("before");
        first.cut();

        WireClient second = resumed(session);
        write(second, process, "after\n");
        awaitText(second, process, "after\n");
        assertThat(heard(second, process)).isEqualTo("after\n");
    }

    @Test
    void aTerminalSurvivesACut() {
        WireClient first = SERVER.silentClient();
        String session = session(first);
        RemoteProcess process = first.start(Start.of("sh").tty());
        process.write("echo on''e\n");
        process.awaitText("one");
        first.cut();

        WireClient second = resumed(session);
        write(second, process, "echo tw''o; exit 3\n");
        awaitText(second, process, "two");
        await().atMost(LIMIT)
                .until(() -> !second.events(process.id()).of("closed").isEmpty());
        assertThat(second.events(process.id()).of("exited").getFirst().exitCode())
                .isEqualTo(3);
    }

    @Test
    void tenResumesLeaveNoHoleAndNothingTwice() {
        WireClient client = SERVER.silentClient();
        String session = session(client);
        RemoteProcess process = client.start(Start.of("cat").stdin());
        List<Long> numbers = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i <= 10; i++) {
            if (i > 0) {
                client = resumed(session);
            }
            write(client, process, "line" + i + "\n");
            awaitText(client, process, "line" + i + "\n");
            numbers.addAll(numbers(client, process));
            text.append(heard(client, process));
            client.cut();
        }
        assertThat(numbers).isEqualTo(LongStream.rangeClosed(1, 11).boxed().toList());
        assertThat(text.toString().lines().toList()).hasSize(11).doesNotHaveDuplicates();
    }

    @Test
    void whatIsSaidWhileTheClientIsAwayIsHeardInOrderWithTheEnd() {
        WireClient first = SERVER.silentClient();
        String session = session(first);
        RemoteProcess process = first.start(
                Start.shell("echo up; read -r go; seq 1 200000; exit 9").stdin());
        process.awaitText("up");
        process.sendWrite("go\n".getBytes(StandardCharsets.UTF_8));
        first.cut();
        long before = process.events().all().getLast().seq();

        WireClient second = resumed(session);
        await().atMost(LIMIT)
                .until(() -> !second.events(process.id()).of("closed").isEmpty());
        List<Long> numbers = numbers(second, process);
        assertThat(numbers)
                .isEqualTo(LongStream.range(numbers.getFirst(), numbers.getFirst() + numbers.size())
                        .boxed()
                        .toList());
        assertThat(numbers.getFirst()).isGreaterThan(before);
        assertThat(heard(second, process)).endsWith("\n199999\n200000\n");
        assertThat(second.events(process.id()).of("exited").getFirst().exitCode())
                .isEqualTo(9);
    }

    @Test
    void aStreamThatIsFasterThanAClientMayParkIsHeardAtFullSpeed() {
        WireClient first = SERVER.silentClient();
        String session = session(first);
        RemoteProcess process = first.start(Start.shell("echo up; read -r go; head -c 40000000 /dev/zero; exit 2")
                .stdin());
        process.awaitText("up");
        first.cut();

        WireClient second = resumed(session).countOnly();
        write(second, process, "go\n");
        await().atMost(Duration.ofSeconds(30)) // 45 s after a resume anybody is pushed to
                .until(() -> !second.events(process.id()).of("closed").isEmpty());
        assertThat(second.events(process.id()).bytes()).isEqualTo(40_000_000);
    }
}
