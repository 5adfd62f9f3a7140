package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** SIGKILL for a server with many processes. Where nothing else runs none of them is alive after a second. */
@Timeout(180)
class HardKillIT {
    private static final int PROCESSES = 500;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final String mark = UUID.randomUUID().toString();

    @Test
    void fiveHundredProcessesDieWithTheirServerAlsoThoseThatHaveLeftTheirSession() {
        try (ServerProcess server = ServerProcess.listening();
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            List<RemoteProcess> processes = IntStream.range(0, PROCESSES)
                    .mapToObj(i -> client.sendStart(start(i).mark(mark)))
                    .toList();
            processes.forEach(process -> process.started().result());
            // Each fifth one has a child that is in a session of its own.
            await().atMost(LIMIT).until(() -> ProcFs.marked(mark).size() >= PROCESSES + PROCESSES / 5);

            long killed = System.nanoTime();
            server.killHard();
            await().atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> ProcFs.marked(mark).isEmpty());
            Duration took = Duration.ofNanos(System.nanoTime() - killed);
            System.out.println("500 processes were dead " + took.toMillis() + " ms after the SIGKILL of their server");
            assertThat(took).isLessThan(LIMIT);
        }
    }

    private static Start start(int i) {
        return switch (i % 5) {
            case 0 -> Start.bash("setsid sleep 271 & exec sleep 272");
            case 1 -> Start.of("setsid", "sleep", "273");
            case 2 -> Start.of("sleep", "274").tty();
            default -> Start.of("sleep", "275").stdin();
        };
    }
}
