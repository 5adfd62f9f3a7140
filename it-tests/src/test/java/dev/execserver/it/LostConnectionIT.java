package dev.execserver.it;

import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RawWebSocket;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** With {@code --session-ttl 0s} a session ends with its connection, however that ends, and takes its processes along. */
@Timeout(60)
class LostConnectionIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with("--session-ttl", "0s");

    private final String mark = UUID.randomUUID().toString();
    private WireClient bystander;
    private WireClient doomed;

    @BeforeEach
    void connect() {
        bystander = SERVER.client();
        doomed = SERVER.client();
    }

    @Test
    void aResetEndsTheWholeTree() {
        doomed.start(Start.bash("setsid sleep 50 & sleep 51").mark(mark));
        await().atMost(Duration.ofSeconds(15)).until(() -> ProcFs.marked(mark).size() >= 2);
        doomed.cut();

        everythingIsGone();
    }

    @Test
    void aCloseFrameEndsTheWholeTree() {
        doomed.start(Start.bash("setsid sleep 50 & sleep 51").mark(mark));
        await().atMost(Duration.ofSeconds(15)).until(() -> ProcFs.marked(mark).size() >= 2);
        doomed.frame(true, RawWebSocket.CLOSE, new byte[] {0x03, (byte) 0xe8});

        everythingIsGone();
    }

    @Test
    void aCutDuringALongPollEndsTheProcess() {
        var process = doomed.start(Start.of("sleep", "50").mark(mark));
        process.sendRead(0, null, 60_000);
        doomed.roundTrip();
        doomed.cut();

        everythingIsGone();
    }

    @Test
    void aCutOfAPeerThatDoesNotReadEndsItsProducer() {
        doomed.countOnly().stopReading();
        doomed.sendStart(Start.of("head", "-c", "268435456", "/dev/zero").mark(mark));
        await().atMost(Duration.ofSeconds(15)).until(() -> !ProcFs.marked(mark).isEmpty());
        doomed.cut();

        everythingIsGone();
    }

    @Test
    void aCutWhileProcessesAreBeingStartedLeavesNone() {
        for (int i = 0; i < 50; i++) {
            doomed.sendStart(Start.of("sleep", "52").mark(mark));
        }
        doomed.cut();

        await("the last start is undone")
                .atMost(Duration.ofSeconds(10))
                .during(Duration.ofMillis(500))
                .until(() -> ProcFs.marked(mark).isEmpty());
    }

    private void everythingIsGone() {
        await().atMost(Duration.ofSeconds(15)).until(() -> ProcFs.marked(mark).isEmpty());
        bystander.assertServed();
    }
}
