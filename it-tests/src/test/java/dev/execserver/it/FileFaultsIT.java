package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Alone;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Call;
import dev.execserver.it.support.HangingFileSystem;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.OpenFiles;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong around files: only who asked for it is told, and nothing stays behind. */
@Alone
@Timeout(120)
class FileFaultsIT {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** More calls than {@code --fs-threads}. */
    private static final int WORKERS = 2;

    /** Of one client. */
    private static final int WAITING = 4096;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @RegisterExtension
    static final SharedServer NARROW = SharedServer.with(
            "--fs-threads", Integer.toString(WORKERS), "--concurrent-requests", "20000", "--log-level", "error");

    @TempDir
    private Path directory;

    @Test
    void aConnectionHas128HandlesAndGivesThemBackHoweverItEnds() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");
        OpenFiles before = OpenFiles.of(SERVER.pid());
        WireClient client = SERVER.client();
        for (int i = 0; i < 128; i++) {
            client.call("fs/open", "handleId", "h" + i, "path", file.toString()).result();
        }
        Answer refused = client.call("fs/open", "handleId", "one more", "path", file.toString());
        assertThat(refused.errorCode()).isEqualTo(-32600);
        assertThat(refused.errorMessage()).isEqualTo("at most 128 file handles may be open per connection");
        client.call("fs/close", "handleId", "h7").result();
        client.call("fs/open", "handleId", "one more", "path", file.toString()).result();
        assertThat(before.openedSince()).hasSizeGreaterThanOrEqualTo(128);

        for (int i = 0; i < 128; i++) {
            client.send("fs/readBlock", Json.object("handleId", "h" + i, "offset", 0, "len", 1));
        }
        client.cut();

        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(before.openedSince()).isEmpty());
    }

    @Test
    void requestsOfOneHandleKeepTheirOrderWithoutWaitingForAnswers() throws IOException {
        Path file = directory.resolve("file");
        WireClient client = SERVER.client();
        for (int round = 0; round < 20; round++) {
            List<Call> calls = new ArrayList<>();
            calls.add(client.send("fs/open", Json.object("handleId", "w", "path", file.toString(), "mode", "replace")));
            for (int i = 0; i < 100; i++) {
                String chunk = Json.base64("%04d".formatted(i));
                calls.add(client.send("fs/writeBlock", Json.object("handleId", "w", "offset", 0, "chunk", chunk)));
            }
            calls.add(client.send("fs/close", Json.object("handleId", "w")));
            calls.forEach(Call::result);
            assertThat(file).hasContent("0099");
        }
    }

    @Test
    void aFileThatShrinksWhileItIsReadEndsWhereItEndsNow() throws Exception {
        Path file = directory.resolve("file");
        WireClient client = SERVER.client();
        for (int i = 0; i < 10; i++) {
            byte[] content = new byte[8 << 20];
            Arrays.fill(content, (byte) 'a');
            Files.write(file, content);
            Call call = client.send("fs/readFile", Json.object("path", file.toString()));
            try (RandomAccessFile shrinking = new RandomAccessFile(file.toFile(), "rw")) {
                shrinking.setLength(1000);
            }
            byte[] read = Json.bytes(call.result().get("dataBase64"));
            assertThat(read.length).isBetween(1000, content.length);
            // read(2) that has begun may find the rest of the page that the file ends in wiped by truncate(2) already
            int wiped = 1000;
            while (wiped < read.length && read[wiped] == 0) {
                read[wiped++] = 'a';
            }
            assertThat(wiped).as("filled up with zeros").isLessThan(content.length);
            assertThat(read).containsOnly('a');
        }
    }

    @Test
    void aFileTooLargeForOneMessageIsRefusedWithTheWayToReadIt() throws IOException {
        Path file = directory.resolve("file");
        long largest = (48 << 20) - (3 << 10);
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(largest + 1);
        }
        WireClient client = SERVER.client();
        Answer refused = client.call("fs/readFile", "path", file.toString());
        assertThat(refused.errorCode()).isEqualTo(-32600);
        assertThat(refused.errorMessage())
                .isEqualTo("file is too large for one message: limit is " + largest
                        + " bytes, use fs/open and fs/readBlock");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(largest);
        }
        assertThat(Json.bytes(client.call("fs/readFile", "path", file.toString())
                        .result()
                        .get("dataBase64")))
                .hasSize((int) largest);
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength((512L << 20) + 1);
        }
        assertThat(client.call("fs/readFile", "path", file.toString()).errorMessage())
                .isEqualTo("file is too large to read: limit is 536870912 bytes");
    }

    @Test
    void manyLargeReadsAtOnceStayInBoundedMemory() throws IOException {
        Path file = directory.resolve("file");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(24 << 20);
        }
        long before = ProcFs.residentKiB(SERVER.pid());
        WireClient client = SERVER.client();
        client.stopReading();
        List<Call> calls = IntStream.range(0, 40)
                .mapToObj(i -> client.send("fs/readFile", Json.object("path", file.toString())))
                .toList();
        SERVER.client().assertServed();
        await().during(Duration.ofSeconds(2))
                .atMost(Duration.ofSeconds(20))
                .until(() -> ProcFs.residentKiB(SERVER.pid()) < before + 400 * 1024);
        assertThat(calls).noneMatch(Call::answered);
        client.cut();
    }

    @Test
    void aDirectoryOfAMillionEntriesIsListedWalkedAndRemovedInBoundedMemory() throws Exception {
        Path many = directory.resolve("many");
        assertThat(new ProcessBuilder(
                                "bash",
                                "-c",
                                "mkdir \"$0\" && mount -t tmpfs -o nr_inodes=0 none \"$0\" && mkdir \"$0\"/d && cd \"$0\"/d"
                                        + " && seq 1000000 | xargs touch",
                                many.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        try {
            WireClient client = SERVER.client();
            long before = ProcFs.residentKiB(SERVER.pid());
            JsonNode options = Json.object(
                    "maxDepth", 1, "maxDirectories", 10, "maxEntries", 1000, "followDirectorySymlinks", false);
            JsonNode walk = client.call("fs/walk", "path", many + "/d", "options", options)
                    .result();
            assertThat(walk.get("truncated").booleanValue()).isTrue();
            assertThat(walk.get("entries")).hasSize(1000);
            assertThat(ProcFs.residentKiB(SERVER.pid())).isLessThan(before + 100 * 1024);
            JsonNode list = client.send("fs/readDirectory", Json.object("path", many + "/d", "maxEntries", 1_000_000))
                    .answer(Duration.ofSeconds(30))
                    .result();
            assertThat(list.get("entries")).hasSize(1_000_000);
            client.send("fs/remove", Json.object("path", many + "/d"))
                    .answer(Duration.ofSeconds(60))
                    .result();
            assertThat(many).isEmptyDirectory();
            assertThat(ProcFs.residentKiB(SERVER.pid())).isLessThan(before + 300 * 1024);
        } finally {
            assertThat(new ProcessBuilder("umount", many.toString()).start().waitFor())
                    .isZero();
        }
    }

    @Test
    void aFileSystemThatHangsHoldsOnlyTheCallsThatGoThere() throws IOException {
        Path hanging = Files.createDirectory(directory.resolve("hanging"));
        Path file = Files.writeString(directory.resolve("file"), "x");
        WireClient client = SERVER.client();
        List<Call> held;
        try (HangingFileSystem mount = HangingFileSystem.at(hanging)) {
            held = List.of(
                    client.send("fs/getMetadata", Json.object("path", hanging + "/a")),
                    client.send("fs/readFile", Json.object("path", hanging + "/a")),
                    client.send("fs/open", Json.object("handleId", "h", "path", hanging + "/a")),
                    client.send("fs/readBlock", Json.object("handleId", "h", "offset", 0, "len", 1)),
                    client.send("fs/close", Json.object("handleId", "h")),
                    // one client may have half of the workers
                    SERVER.client().send("fs/walk", Json.object("path", hanging.toString(), "options", walkOptions())));
            for (int i = 0; i < 50; i++) {
                client.call("fs/writeFile", "path", file.toString(), "dataBase64", "eA==")
                        .result();
            }
            SERVER.client().assertServed();
            assertThat(held).noneMatch(Call::answered);
        }
        held.forEach(call -> assertThat(call.answer()).isNotNull());
    }

    private static JsonNode walkOptions() {
        return Json.object("maxDepth", 1, "maxDirectories", 10, "maxEntries", 10, "followDirectorySymlinks", false);
    }

    @Test
    void whenAllFileWorkersHangFurtherCallsOfThatClientWaitAndAllElseIsServed() throws IOException {
        Path hanging = Files.createDirectory(directory.resolve("hanging"));
        WireClient client = NARROW.client();
        List<Call> calls = new ArrayList<>();
        try (HangingFileSystem mount = HangingFileSystem.at(hanging)) {
            for (int i = 0; i < WORKERS / 2 + WAITING; i++) {
                calls.add(client.send("fs/canonicalize", Json.object("path", hanging + "/a")));
            }
            client.assertServed();
            assertThat(calls).noneMatch(Call::answered);
            WireClient other = NARROW.client();
            assertThat(other.call("fs/canonicalize", "path", "/tmp").failed()).isFalse();
            other.start(Start.of("true")).closed();
        }
        assertThat(calls)
                .allSatisfy(
                        call -> assertThat(call.answer(Duration.ofSeconds(20))).isNotNull());
    }

    @Test
    void whenClientsTogetherHangAllWorkersOthersAreServedInSeconds() throws IOException {
        Path hanging = Files.createDirectory(directory.resolve("hanging"));
        List<Call> calls = new ArrayList<>();
        try (HangingFileSystem mount = HangingFileSystem.at(hanging)) {
            for (int i = 0; i < WORKERS + 4; i++) {
                calls.add(NARROW.client().send("fs/canonicalize", Json.object("path", hanging + "/a")));
            }
            Answer answer = NARROW.client()
                    .send("fs/canonicalize", Json.object("path", "/tmp"))
                    .answer(Duration.ofSeconds(60));
            assertThat(answer.failed()).isFalse();
            assertThat(calls).noneMatch(Call::answered);
        }
        assertThat(calls)
                .allSatisfy(
                        call -> assertThat(call.answer(Duration.ofSeconds(20))).isNotNull());
    }

    @Test
    void whoWaitsForTheLockOfADirectoryKeepsNobodyWaiting() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");
        JsonNode write = Json.object(
                "path", file.toString(), "dataBase64", Json.base64("y"), "expect", Json.object("mtimeMs", 5));
        WireClient client = NARROW.client();
        RemoteProcess holder =
                client.start(Start.of("flock", directory.toString(), "sh", "-c", "echo held; sleep 100"));
        holder.awaitText("held");
        List<Call> calls = IntStream.range(0, 1000)
                .mapToObj(_ -> client.send("fs/writeFile", write))
                .toList();

        assertThat(client.call("fs/canonicalize", "path", "/tmp").failed()).isFalse();
        WireClient other = NARROW.client();
        other.start(Start.of("true")).closed();
        assertThat(calls).as("waiting").anyMatch(call -> !call.answered());

        assertThat(calls)
                .allSatisfy(call -> assertThat(call.answer(Duration.ofSeconds(60))
                                .error()
                                .at("/data/reason")
                                .asText())
                        .isEqualTo("locked"));
        holder.terminate();
    }

    @Test
    void changesOfAWatchedDirectoryArriveAndEndWithTheirConnection() throws IOException {
        OpenFiles before = OpenFiles.of(SERVER.pid());
        WireClient client = SERVER.client();
        client.call("fs/watch", "watchId", 5, "path", directory.toString()).result();
        Path file = Files.writeString(directory.resolve("file"), "x");
        JsonNode first = client.nextStray();
        assertThat(first.get("method").textValue()).isEqualTo("fs/changed");
        assertThat(first.at("/params/watchId").asInt()).isEqualTo(5);
        assertThat(first.at("/params/changes/0/path").textValue()).isEqualTo("file://" + file);
        assertThat(first.at("/params/changes/0/kind").textValue()).isEqualTo("created");
        Files.delete(file);
        await().atMost(LIMIT).until(() -> client.nextStray().toString().contains("\"kind\":\"removed\""));

        assertThat(client.call("fs/watch", "watchId", 5, "path", "/tmp").errorMessage())
                .isEqualTo("watch 5 already exists");
        client.call("fs/unwatch", "watchId", 5).result();
        client.call("fs/unwatch", "watchId", 5).result();
        Files.writeString(directory.resolve("other"), "x");
        client.roundTrip();
        assertThat(client.strayCount()).isZero();
        for (int i = 0; i < 64; i++) {
            client.call("fs/watch", "watchId", i, "path", directory.toString()).result();
        }
        assertThat(client.call("fs/watch", "watchId", 64, "path", "/tmp").errorMessage())
                .startsWith("at most 64 watches");
        client.cut();
        // one inotify instance for the whole server, made with the first watch
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(before.openedSince()).hasSizeLessThanOrEqualTo(1));
    }
}
