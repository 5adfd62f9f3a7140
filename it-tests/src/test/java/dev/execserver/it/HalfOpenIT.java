package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pings and dead peers, with the clock turned up: a ping every second, dead after three,
 * and a session ends with its connection. */
@Timeout(60)
class HalfOpenIT {
    @RegisterExtension
    static final SharedServer SERVER =
            SharedServer.with("--ping-interval", "1s", "--peer-timeout", "3s", "--session-ttl", "0");

    @Test
    void b27_theServerPingsAndKeepsAPeerThatAnswers() {
        WireClient client = SERVER.client();

        await().atMost(Duration.ofSeconds(10)).until(() -> client.pings() >= 5);
        assertThat(client.open()).isTrue();
        client.roundTrip();
    }

    @Test
    void b27_aPeerThatNeverAnswersIsDroppedAndItsProcessesEndWithItsSession() {
        String mark = UUID.randomUUID().toString();
        WireClient client = SERVER.client().ignorePings();
        client.start(Start.of("sleep", "90").mark(mark));

        client.ending(Duration.ofSeconds(10));
        await().atMost(Duration.ofSeconds(15)).until(() -> ProcFs.marked(mark).isEmpty());
    }

    @Test
    void b27_aPeerThatStopsReadingIsDroppedToo() {
        String mark = UUID.randomUUID().toString();
        WireClient client = SERVER.client();
        client.start(Start.shell("yes").mark(mark));
        client.stopReading();

        await().atMost(Duration.ofSeconds(15)).until(() -> ProcFs.marked(mark).isEmpty());
        client.resumeReading();
        client.ending(Duration.ofSeconds(10));
    }
}
