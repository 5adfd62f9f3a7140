package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Alone;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server whose user may have few processes and threads (RLIMIT_NPROC, see getrlimit(2)): it refuses starts, does everything
 * else, and is well again when some have ended. Needs root to begin.
 */
@Alone
@Timeout(180)
class ProcessLimitAsUserIT {
    private static final int LIMIT = 90;

    /** The kernel counts all processes of the user, so it is one that nobody else is. */
    private static final long USER = 100_000 + ProcessHandle.current().pid() % 100_000;

    @Test
    void startsAreRefusedInWordsAndWorkAgainWhenProcessesHaveEnded() {
        List<String> user = List.of(
                "setpriv",
                "--reuid=" + USER,
                "--regid=" + USER,
                "--clear-groups",
                "prlimit",
                "--nproc=" + LIMIT + ":" + LIMIT);
        try (DistributionCopy copy = DistributionCopy.create("process-limit-");
                ServerProcess server = copy.start(() -> ServerProcess.listening(user, Map.of("HOME", "/")));
                WireClient client = client(server)) {
            for (int round = 0; round < 3; round++) {
                List<RemoteProcess> processes = new ArrayList<>();
                Answer refused = fill(client, processes);
                assertThat(refused.errorMessage()).contains("ulimit -u").contains("pids.max");
                assertEverythingElseWorks(server, client);

                processes.forEach(RemoteProcess::terminate);
                processes.forEach(RemoteProcess::closed);
                await().until(() -> ProcFs.zombies(server.pid()).isEmpty());
                assertThat(client.start(Start.shell("echo lives")).awaitText("lives"))
                        .contains("lives");
            }
            server.stop();
        }
    }

    private static WireClient client(ServerProcess server) {
        WireClient client = WireClient.connect(server.port());
        client.handshake();
        return client;
    }

    /** Starts processes until one is refused. */
    private static Answer fill(WireClient client, List<RemoteProcess> processes) {
        while (processes.size() < LIMIT) {
            RemoteProcess process = client.sendStart(Start.of("sleep", "100"));
            Answer answer = process.started();
            if (answer.failed()) {
                return answer;
            }
            processes.add(process);
        }
        throw new AssertionError("no start was refused");
    }

    private static void assertEverythingElseWorks(ServerProcess server, WireClient client) {
        client.roundTrip();
        for (String method : List.of("fs/getMetadata", "fs/readDirectory")) {
            Answer answer =
                    client.send(method, Json.object("path", "file:///etc")).answer(Duration.ofSeconds(30));
            assertThat(answer.failed()).as("%s: %s", method, answer).isFalse();
        }
        try (WireClient other = client(server)) {
            other.assertServed();
        }
    }
}
