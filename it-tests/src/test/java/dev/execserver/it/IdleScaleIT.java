package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Alone;
import dev.execserver.it.support.Call;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two thousand idle processes, each with a long poll: few threads, little memory, quick answers. {@code -Dit.idle=N} shrinks it. */
@Alone
@Tag("heavy")
@Timeout(180)
class IdleScaleIT {
    private static final int PROCESSES = Integer.getInteger("it.idle", 2_000);
    private static final int IN_FLIGHT = 64;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @Test
    void twoThousandIdleProcessesWithALongPollEach() {
        WireClient client = SERVER.client();
        List<RemoteProcess> idle = new ArrayList<>();
        List<Call> polls = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            idle.add(client.sendStart(Start.of("sleep", "300")));
            if (i >= IN_FLIGHT) {
                idle.get(i - IN_FLIGHT).started().result();
            }
        }
        idle.forEach(process -> process.started().result());
        idle.forEach(process -> polls.add(process.sendRead(0, null, 120_000)));
        client.roundTrip();

        assertThat(ProcFs.threads(SERVER.pid())).as("threads").isLessThanOrEqualTo(60);
        assertThat(ProcFs.residentKiB(SERVER.pid())).as("RSS in KiB").isLessThanOrEqualTo(200 << 10);
        await("one of several times, where a machine is busy with other things")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> answersAreQuick(client));

        idle.forEach(process -> process.send("process/terminate"));
        idle.forEach(process -> process.closed(Duration.ofSeconds(30)));
        assertThat(polls)
                .allSatisfy(poll ->
                        assertThat(poll.result().get("exited").booleanValue()).isTrue());
        await().until(() -> ProcFs.zombies(SERVER.pid()).isEmpty());
    }

    private static void answersAreQuick(WireClient client) {
        List<Duration> answers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            answers.add(client.roundTrip());
        }
        answers.sort(null);
        assertThat(answers.get(answers.size() / 2)).as("median answer").isLessThan(Duration.ofMillis(5));
        assertThat(answers.get(197)).as("p99 answer").isLessThan(Duration.ofMillis(50));
    }
}
