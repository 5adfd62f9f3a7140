package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Searches that take twenty seconds each, whatever the machine: what becomes of them when their client goes, and what others
 * notice of them.
 */
@Timeout(180)
class ClientGoneIT {
    private static final String SLOW = ".*.*.*.*.*.*.*.*.*z";
    private static final Duration LOOK = Duration.ofMillis(500);
    /** Of 100 a second. */
    private static final int IDLE_TICKS = 12;

    /** Much less than what is left of one search. */
    private static final Duration SOON = Duration.ofSeconds(10);

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir(factory = VarTmp.class)
    private Path folder;

    @BeforeEach
    void fill() throws IOException {
        for (int i = 0; i < 40; i++) {
            Files.writeString(folder.resolve("f" + i), "a".repeat(40) + "b\n");
        }
    }

    private ObjectNode search() {
        return Json.object("path", folder.toString(), "pattern", SLOW, "regex", true);
    }

    private static List<WireClient> clients(int count) {
        return Stream.generate(SERVER::client).limit(count).toList();
    }

    /** Waits until the processor time of one look is as wanted. */
    private static void awaitTicks(String what, Duration limit, LongPredicate wanted) {
        AtomicLong before = new AtomicLong(ProcFs.ticksOfAll(SERVER.pid()));
        await(what).pollDelay(LOOK).pollInterval(LOOK).atMost(limit).until(() -> {
            long now = ProcFs.ticksOfAll(SERVER.pid());
            return wanted.test(now - before.getAndSet(now));
        });
    }

    private static void awaitBusy() {
        awaitTicks("busy", Duration.ofSeconds(30), ticks -> ticks > IDLE_TICKS);
    }

    private static void awaitIdle() {
        awaitTicks("idle", SOON, ticks -> ticks <= IDLE_TICKS);
    }

    @Test
    void c102_aSearchEndsWhenItsClientGoes() {
        WireClient client = SERVER.client();
        client.send("fs/search", search());
        awaitBusy();
        client.cut();

        awaitIdle();
    }

    @Test
    void c102_aSearchInASandboxEndsWhenItsClientGoes() {
        WireClient client = SERVER.client();
        ObjectNode search = search();
        search.set("sandbox", Policies.workspaceWrite(folder));
        client.send("fs/search", search);
        awaitBusy();
        client.cut();

        awaitIdle();
    }

    @Test
    void c102_whatWaitsIsNotBegunForClientsThatHaveGone() {
        List<WireClient> clients = clients(4);
        for (int i = 0; i < 20; i++) {
            clients.forEach(client -> client.send("fs/search", search()));
        }
        awaitBusy();
        clients.forEach(WireClient::cut);

        awaitIdle();
    }

    @Test
    void c102_aStartOfAnotherClientWaitsForNoSearch() {
        List<WireClient> clients = clients(8);
        for (int i = 0; i < 40; i++) {
            clients.forEach(client -> client.send("fs/search", search()));
        }
        awaitBusy();
        WireClient other = SERVER.client();
        for (int i = 0; i < 5; i++) {
            // A search steps aside after five seconds at the earliest.
            Answer started =
                    other.send("process/start", Start.of("true").params()).answer(Duration.ofSeconds(4));
            assertThat(started.failed()).isFalse();
        }
        clients.forEach(WireClient::cut);
        awaitIdle();
    }
}
