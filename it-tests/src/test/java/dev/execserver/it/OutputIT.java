package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Event;
import dev.execserver.it.support.OpenFiles;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Output: every byte, in order, numbered without holes, pushed and polled. */
@Timeout(60)
class OutputIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private WireClient client;

    @BeforeEach
    void connect() {
        client = SERVER.client();
    }

    @Test
    @Timeout(120)
    void b04_aThousandCommandsLeaveNoZombieAndNoDescriptor() {
        client.start(Start.of("true").tty()).closed();
        OpenFiles before = OpenFiles.of(SERVER.pid());
        List<RemoteProcess> running = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            running.add(client.start(
                    i % 2 == 0 ? Start.of("true") : Start.of("true").tty()));
            if (running.size() == 32) {
                running.forEach(RemoteProcess::closed);
                running.clear();
            }
        }
        running.forEach(RemoteProcess::closed);

        await().atMost(Duration.ofSeconds(15))
                .until(() -> ProcFs.zombies(SERVER.pid()).isEmpty());
        await().atMost(Duration.ofSeconds(35))
                .untilAsserted(() -> assertThat(before.openedSince()).hasSizeLessThanOrEqualTo(3));
    }

    @Test
    void b06_charactersWrittenByteByByteArriveUnchanged() {
        String text = "\u00e9\u20ac\ud83d\ude00";
        StringBuilder script = new StringBuilder();
        for (byte b : text.getBytes(UTF_8)) {
            script.append("printf '\\").append(Integer.toOctalString(b & 0xff)).append("'; sleep 0.01; ");
        }
        RemoteProcess process = client.start(Start.bash(script.toString()));
        process.closed();

        assertThat(process.events().output()).isEqualTo(text.getBytes(UTF_8));
    }

    @Test
    void sequencesOf200ProcessesOnFourConnectionsHaveNoHoleAndStayInOrder() {
        List<WireClient> clients = Stream.concat(
                        Stream.of(client), Stream.generate(SERVER::client).limit(3))
                .toList();
        List<RemoteProcess> running = new ArrayList<>();
        List<RemoteProcess> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            RemoteProcess process = clients.get(i % 4)
                    .sendStart(Start.shell("head -c 10000 /dev/zero; head -c 10000 /dev/zero >&2; exit 7"));
            running.add(process);
            all.add(process);
            if (running.size() == 32) {
                running.removeFirst().closed();
            }
        }

        assertThat(all).allSatisfy(process -> {
            process.closed();
            assertThat(process.events().bytes()).isEqualTo(20_000);
            assertThat(process.events().misplaced())
                    .as("notifications out of order")
                    .isZero();
            List<Event> events = process.events().all();
            assertThat(events.getLast().kind()).isEqualTo("closed");
            assertThat(events.get(events.size() - 2).kind()).isEqualTo("exited");
            assertThat(events.get(events.size() - 2).exitCode()).isEqualTo(7);
        });
    }

    @Test
    void b44_sixteenBusyProcessesOnOneConnectionKeepEveryFrameWhole() {
        List<RemoteProcess> busy = IntStream.range(0, 16)
                .mapToObj(i -> client.start(Start.shell("seq 1 60000")))
                .toList();

        assertThat(busy).allSatisfy(process -> {
            process.closed(Duration.ofSeconds(30));
            assertThat(process.events().misplaced()).isZero();
            assertThat(process.text())
                    .startsWith("1\n2\n3\n")
                    .endsWith("\n59999\n60000\n")
                    .hasSize(348_894);
        });
        assertThat(client.broken()).isEmpty();
    }

    @Test
    void noChunkIsAbove64KiB() {
        RemoteProcess process = client.start(Start.of("head", "-c", "4000000", "/dev/zero"));
        process.closed();

        assertThat(process.events().bytes()).isEqualTo(4_000_000);
        assertThat(process.events().of("output")).allMatch(event -> event.size() <= 65_536);
    }

    @Test
    void pushedAndReadOutputAreTheSame() {
        RemoteProcess process = client.start(Start.shell("seq 1 20000; seq 1 3000 >&2"));
        process.closed();

        JsonNode read = process.read();
        assertThat(RemoteProcess.bytes(read)).isEqualTo(process.events().output());
        assertThat(read.get("nextSeq").longValue()).isEqualTo(process.closed().seq() + 1);
    }

    @Test
    void readingInSmallStepsByNextSeqYieldsEveryByteOnce() {
        RemoteProcess process = client.start(Start.shell("seq 1 100000"));
        process.closed();
        var joined = new java.io.ByteArrayOutputStream();
        long after = 0;
        for (JsonNode read = page(process, after); read.get("chunks").size() > 0; read = page(process, after)) {
            joined.writeBytes(RemoteProcess.bytes(read));
            after = read.get("nextSeq").longValue() - 1;
        }

        assertThat(joined.toByteArray()).isEqualTo(process.events().output());
    }

    @Test
    void aLongPollWakesWhenOutputComes() {
        RemoteProcess process = client.start(Start.of("cat").stdin());
        var poll = process.sendRead(0, null, 60_000);
        process.write("wake");

        assertThat(RemoteProcess.bytes(poll.result())).asString().isEqualTo("wake");
    }

    @Test
    void aLongPollWakesWhenTheProcessEnds() {
        RemoteProcess process = client.start(Start.of("cat").stdin());
        var poll = process.sendRead(0, null, 60_000);
        process.terminate();

        assertThat(poll.result().get("exited").booleanValue()).isTrue();
    }

    @Test
    void aLongPollWithoutNewsIsEmptyAfterItsTime() {
        RemoteProcess process = client.start(Start.of("sleep", "20"));
        var poll = process.sendRead(0, null, 300);

        assertThat(poll.result().get("chunks")).isEmpty();
        assertThat(poll.took()).isGreaterThanOrEqualTo(Duration.ofMillis(290));
    }

    @Test
    void aPollingClientWithoutPushIsNotSentItsOutputTwice() {
        RemoteProcess process =
                client.start(Start.shell("echo polled; sleep 0.2; echo more").with("push", false));
        long after = 0;
        var joined = new java.io.ByteArrayOutputStream();
        JsonNode read = process.sendRead(after, null, 5_000).result();
        while (!read.get("closed").booleanValue()) {
            joined.writeBytes(RemoteProcess.bytes(read));
            after = read.get("nextSeq").longValue() - 1;
            read = process.sendRead(after, null, 5_000).result();
        }
        joined.writeBytes(RemoteProcess.bytes(read));

        assertThat(joined.toString(UTF_8)).isEqualTo("polled\nmore\n");
        client.roundTrip();
        assertThat(process.events().of("output")).isEmpty();
    }

    private static JsonNode page(RemoteProcess process, long after) {
        return process.sendRead(after, 100_000, 0).result();
    }
}
