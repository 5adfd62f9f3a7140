package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Alone;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.OpenFiles;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Far more sessions than helpers, each with a policy of its own. */
@Alone
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class ManyViewsIT {

    private static final int SESSIONS = 200;
    private static final int HELPERS = 4;

    /** As many as helpers: nobody has to wait for another one's start. */
    private static final int AT_ONCE = HELPERS;

    /** What a helper may take: its heap and what the JVM needs besides. */
    private static final long HELPER_KIB = 200 * 1024;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with("--max-helpers", Integer.toString(HELPERS));

    @TempDir(factory = VarTmp.class)
    private Path base;

    private final AtomicInteger mostHelpers = new AtomicInteger();
    private final List<String> wrong = new ArrayList<>();

    private static List<Long> helpers() {
        return ProcFs.descendants(SERVER.pid()).stream()
                .filter(pid -> {
                    List<String> command = ProcFs.commandLine(pid);
                    return !command.isEmpty()
                            && command.getFirst().endsWith("/java")
                            && command.getLast().equals("fs");
                })
                .toList();
    }

    private static Answer ask(WireClient client, String method, ObjectNode params, ObjectNode sandbox) {
        params.set("sandbox", sandbox);
        return client.send(method, params).answer(Duration.ofSeconds(120));
    }

    private void session(int number) throws IOException {
        Path own = Files.createDirectory(base.resolve("ws" + number));
        Files.writeString(own.resolve("f"), "content " + number);
        ObjectNode sandbox = Policies.narrow(own);
        try (WireClient client = WireClient.connect(SERVER.port())) {
            client.handshake();
            Answer mine = ask(client, "fs/readFile", Json.object("path", own + "/f"), sandbox);
            String content = mine.failed()
                    ? mine.errorMessage()
                    : new String(Json.bytes(mine.result().get("dataBase64")), StandardCharsets.UTF_8);
            check(number, content.equals("content " + number), content);
            Path other = base.resolve("ws" + Math.max(0, number - 1)).resolve("f");
            if (number > 0) {
                Answer foreign = ask(client, "fs/readFile", Json.object("path", other.toString()), sandbox);
                check(
                        number,
                        foreign.failed() && foreign.errorCode() == -32004,
                        foreign.message().toString());
            }
            mostHelpers.accumulateAndGet(helpers().size(), Math::max);
            if (number % 2 == 0) {
                client.call("session/end").result();
            }
        }
    }

    private void check(int number, boolean right, String found) {
        if (!right) {
            synchronized (wrong) {
                wrong.add(number + ": " + found);
            }
        }
    }

    @Test
    void twoHundredViewsStayInsideOfThePoolAndNoAnswerIsAnotherOnes() throws Exception {
        session(SESSIONS);
        OpenFiles before = OpenFiles.of(SERVER.pid());
        long memory = ProcFs.residentKiB(SERVER.pid());
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            for (int i = 0; i < SESSIONS; i++) {
                int number = i;
                all.add(threads.submit(() -> {
                    session(number);
                    return true;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertThat(wrong).isEmpty();
        // One that was given up may still be dying when the next one starts.
        assertThat(mostHelpers).hasValueLessThanOrEqualTo(2 * HELPERS);
        List<Long> left = helpers();
        assertThat(left).hasSizeLessThanOrEqualTo(HELPERS);
        assertThat(left.stream().filter(ProcFs::alive).mapToLong(ProcFs::residentKiB))
                .allMatch(resident -> resident < HELPER_KIB);
        assertThat(ProcFs.residentKiB(SERVER.pid()) - memory)
                .as("growth in KiB")
                .isLessThan(100 * 1024);

        for (long helper : left) {
            ProcessHandle.of(helper).ifPresent(ProcessHandle::destroyForcibly);
        }
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(helpers()).isEmpty());
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(before.openedSince()).hasSizeLessThanOrEqualTo(4));
    }
}
