package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.it.support.Alone;
import dev.execserver.it.support.OpenFiles;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.UnreliableLink;
import dev.execserver.it.support.UnreliableLink.Trouble;
import java.io.InputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many processes over connections that keep failing: every byte of every process arrives exactly once. */
@Alone
@Timeout(180)
class ChaosIT {

    private static final int SESSIONS = 10;
    private static final int PROCESSES_PER_SESSION = 5;
    private static final int TROUBLES = 200;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with("--session-ttl", "10s", "--process-retention", "10s");

    /** Numbers at a pace that outlasts the troubles, and at the end a burst. */
    private static String script(int number) {
        return "i=0; while [ $i -lt 120 ]; do i=$((i+1)); echo p" + number + " line $i; sleep 0.05; done; seq " + number
                + " 40000";
    }

    private static String expectedHash(int number) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (int i = 1; i <= 120; i++) {
            digest.update(("p" + number + " line " + i + "\n").getBytes());
        }
        for (int i = number; i <= 40_000; i++) {
            digest.update((i + "\n").getBytes());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String hash(InputStream in) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] buffer = new byte[16 * 1024];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            digest.update(buffer, 0, count);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    @Test
    void everyByteArrivesOnceThoughConnectionsFailAllTheTime() throws Exception {
        OpenFiles before = OpenFiles.of(SERVER.pid());
        try (UnreliableLink link = UnreliableLink.to(SERVER.port());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<ExecServerClient> clients = new ArrayList<>();
            List<Callable<String>> readers = new ArrayList<>();
            List<RemoteProcess> processes = new ArrayList<>();
            for (int session = 0; session < SESSIONS; session++) {
                ExecServerClient client = ExecServerClient.connect(ClientOptions.url("ws://127.0.0.1:" + link.port())
                        .clientName("chaos")
                        .pingInterval(Duration.ofSeconds(1))
                        .build());
                clients.add(client);
                for (int i = 0; i < PROCESSES_PER_SESSION; i++) {
                    int number = processes.size() + 1;
                    RemoteProcess process = client.start(ProcessSpec.of("sh", "-c", script(number))
                            .cwd("/tmp")
                            .env(Map.of("PATH", "/usr/bin:/bin")));
                    processes.add(process);
                    readers.add(() -> hash(process.stdout()));
                }
            }
            List<Future<String>> hashes = new ArrayList<>();
            readers.forEach(reader -> hashes.add(threads.submit(reader)));
            makeTrouble(link);
            for (int i = 0; i < hashes.size(); i++) {
                assertThat(result(hashes.get(i)))
                        .as("output of process %d", i + 1)
                        .isEqualTo(expectedHash(i + 1));
                assertThat(processes.get(i).waitFor())
                        .isInstanceOfSatisfying(
                                Outcome.Exited.class,
                                exited -> assertThat(exited.exitCode()).isZero());
            }
            assertThat(link.troubles()).isGreaterThanOrEqualTo(TROUBLES);
            clients.forEach(ExecServerClient::close);
        }
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(before.openedSince()).hasSizeLessThanOrEqualTo(8));
    }

    private static String result(Future<String> hash) throws Exception {
        try {
            return hash.get(40, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(
                    "output did not end; the server says: " + SERVER.process().stderr(), e);
        }
    }

    private static void makeTrouble(UnreliableLink link) {
        Random random = new Random(42);
        Trouble[] kinds = {
            Trouble.CUT, Trouble.CUT, Trouble.CUT, Trouble.DELAY, Trouble.DELAY, Trouble.TRUNCATE, Trouble.SILENCE
        };
        AtomicBoolean idle = new AtomicBoolean();
        while (link.troubles() < TROUBLES) {
            idle.set(!link.trouble(kinds[random.nextInt(kinds.length)], random));
            LockSupport.parkNanos(idle.get() ? 5_000_000L : 20_000_000L);
        }
    }
}
