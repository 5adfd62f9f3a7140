package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.FakeExecServer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signals for {@code run} while its server starts a program and then answers nothing more, or does not even read. */
@Timeout(120)
class RunMuteServerIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private final CountDownLatch end = new CountDownLatch(1);
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sigtermEndsTheClientWhateverTheServerDoes(boolean reads) throws Exception {
        try (FakeExecServer server = FakeExecServer.saying(new Mute(reads))) {
            Program.Running running = started(server);
            if (!reads) {
                fillTheWay(running);
            }
            running.signal("TERM");
            assertThat(running.end().status()).isEqualTo(130);
        } finally {
            end.countDown();
        }
    }

    @Test
    void theSecondSigintEndsTheClientAtOnce() throws Exception {
        try (FakeExecServer server = FakeExecServer.saying(new Mute(true))) {
            Program.Running running = started(server);
            running.signal("INT");
            await().atMost(LIMIT).until(() -> {
                running.signal("INT");
                return !running.process().isAlive();
            });
            assertThat(running.end().status()).isEqualTo(130);
            assertThat(asked)
                    .as("it waited neither for an answer nor for the time after which it kills")
                    .contains("process/signal")
                    .doesNotContain("process/terminate");
        } finally {
            end.countDown();
        }
    }

    private Program.Running started(FakeExecServer server) {
        Program.Running running = Program.start(directory, "run", "--verbose", "--url", server.url(), "--", "cat");
        await().atMost(LIMIT).until(() -> running.err().contains("session "));
        return running;
    }

    /** Types until the client takes no more: then its writer waits for the server. */
    private static void fillTheWay(Program.Running running) throws InterruptedException {
        Thread typist = Thread.ofPlatform().daemon().start(() -> running.type("x".repeat(64 << 20)));
        assertThat(typist.join(Duration.ofSeconds(3))).as("all was taken").isFalse();
    }

    private final class Mute implements FakeExecServer.Script {
        private final boolean reads;

        Mute(boolean reads) {
            this.reads = reads;
        }

        @Override
        public void request(FakeExecServer.Link link, String method, JsonNode id, JsonNode params) throws IOException {
            asked.add(method);
            switch (method) {
                case "initialize" ->
                    link.result(id, FakeExecServer.greeting("s", "process/closeStdin", "process/signal"));
                case "process/start" -> link.result(id, Json.object("processId", "run"));
                default -> {
                    if (!reads) {
                        waitForTheEnd();
                    }
                }
            }
        }

        private void waitForTheEnd() {
            try {
                boolean _ = end.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
