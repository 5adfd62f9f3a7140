package dev.execserver.server.helper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.execserver.helper.HelperMain;
import dev.execserver.helper.fs.RegularFile;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.OpenMode;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.MemoryBudget;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests real helper processes and impostors, without a sandbox around them. */
@Timeout(60)
class HelperProcessTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SIGKILL = 9;

    private final Poller poller = new Poller();
    private final Spawner spawner = new Spawner(poller);
    private final ProcessMarks marks = ProcessMarks.create();
    private final MemoryBudget share = new MemoryBudget(1L << 30, Duration.ofSeconds(1));
    private Child child;

    @TempDir
    private Path directory;

    @AfterEach
    void end() {
        if (child != null) {
            child.signal(SIGKILL);
            child.awaitExit();
        }
        spawner.close();
        poller.close();
    }

    private HelperProcess start(String... argv) {
        child = spawner.spawn(new SpawnRequest(
                argv[0], List.of(argv), List.of("PATH=/usr/bin:/bin"), "/", new Stdio.Channel(), marks.next()));
        return HelperProcess.of(new StartedHelper(child, () -> child.signal(SIGKILL)), new Buffers(4));
    }

    private HelperProcess start() {
        return start(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                HelperMain.class.getName(),
                "fs");
    }

    private AnswerMemory memory() {
        return new AnswerMemory(share);
    }

    private static FileRequest request(String method, String params) {
        return FileRequest.read(method, JsonSlice.of(params), Dialect.OPEN);
    }

    private FileRequest read(Path file) {
        return request(FsMethodNames.READ_FILE, "{\"path\":\"" + file + "\"}");
    }

    private static JsonNode value(JsonWritable result) throws Exception {
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.value(out, result);
        return JSON.readTree(out.toByteArray());
    }

    @Test
    void requestsAreCarriedOutAndRefusalsComeBackAsTheyWere() throws Exception {
        HelperProcess helper = start();
        Path file = directory.resolve("f");
        value(helper.run(
                request(FsMethodNames.WRITE_FILE, "{\"path\":\"" + file + "\",\"dataBase64\":\"aGVsbG8=\"}"),
                memory()));
        assertThat(file).hasContent("hello");
        assertThat(value(helper.run(read(file), memory())).get("dataBase64").textValue())
                .isEqualTo("aGVsbG8=");
        RpcException refusal = catchThrowableOfType(
                RpcException.class, () -> helper.run(read(directory.resolve("missing")), memory()));
        assertThat(refusal.code()).isEqualTo(-32004);
        assertThat(refusal.message()).isEqualTo("No such file or directory (os error 2)");
        assertThat(refusal.data().orElseThrow().members()).containsEntry("errno", 2L);
        helper.close();
        assertThatThrownBy(() -> helper.run(read(file), memory())).isInstanceOf(HelperGoneException.class);
    }

    @Test
    void aLargeFileArrivesWholeAndIsCountedWhileItIsHeld() throws Exception {
        HelperProcess helper = start();
        Path file = directory.resolve("large");
        byte[] bytes = new byte[14_000_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        Files.write(file, bytes);
        AnswerMemory memory = memory();
        JsonWritable result = helper.run(read(file), memory);
        assertThat(share.usedBytes()).isBetween(37_200_000L, 38_000_000L);
        assertThat(value(result).get("dataBase64").binaryValue()).isEqualTo(bytes);
        memory.release();
        assertThat(share.usedBytes()).isZero();
    }

    @Test
    void manyRequestsAtOnceEachGetTheirOwnAnswer() throws Exception {
        HelperProcess helper = start();
        for (int i = 0; i < 20; i++) {
            Files.writeString(directory.resolve("f" + i), "content" + i);
        }
        AtomicInteger right = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(200);
        for (int i = 0; i < 200; i++) {
            int number = i % 20;
            Threads.virtual("asker", () -> {
                try {
                    byte[] content = value(helper.run(read(directory.resolve("f" + number)), memory()))
                            .get("dataBase64")
                            .binaryValue();
                    if (new String(content, StandardCharsets.UTF_8).equals("content" + number)) {
                        right.incrementAndGet();
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                } finally {
                    done.countDown();
                }
            });
        }
        done.await();
        assertThat(right).hasValue(200);
        assertThat(helper.inFlight()).isZero();
    }

    @Test
    void anOpenFileIsHandedOver() throws Exception {
        HelperProcess helper = start();
        Path file = Files.writeString(directory.resolve("f"), "0123456789");
        OpenParams params = new OpenParams("h", PathUri.ofNative(file.toString()), OpenMode.READ, Optional.empty());
        byte[] got = new byte[4];
        try (RegularFile open = helper.open(params, memory())) {
            helper.close();
            assertThat(open.size()).isEqualTo(10);
            assertThat(open.read(got, 0, 4, 3)).isEqualTo(4);
        }
        assertThat(got).asString(StandardCharsets.US_ASCII).isEqualTo("3456");
    }

    @Test
    void whoeverWaitsIsToldWhenTheHelperDies() throws Exception {
        HelperProcess helper = start("/bin/sh", "-c", "head -c 10 >/dev/null; exit 3");
        assertThatThrownBy(() -> helper.run(read(directory), memory()))
                .isInstanceOf(HelperGoneException.class)
                .hasMessage("it has ended");
        assertThat(helper.alive()).isFalse();
    }

    @Test
    void anImpostorIsEndedAndMakesUsHoldNothing() throws Exception {
        for (String answer : new String[] {
            "printf '\\377\\377\\377\\377'", // a negative length
            "printf '\\003\\000\\000\\000'; printf '\\000\\000\\000\\000\\000\\000\\000\\011\\000{}'", // answers
            // another request
            "printf '\\000\\000\\000\\013\\000\\000\\000\\000\\000\\000\\000\\001\\007{}'", // an unknown kind
            "printf '\\000\\000\\000\\013\\000\\000\\000\\000\\000\\000\\000\\001\\000{,'", // invalid JSON
            "printf '\\000\\000\\000\\017\\000\\000\\000\\000\\000\\000\\000\\001\\000{},{}0'" // more than one value
        }) {
            HelperProcess helper = start("/bin/sh", "-c", "head -c 10 >/dev/null; " + answer + "; sleep 30");
            assertThatThrownBy(() -> helper.run(read(directory), memory())).isInstanceOf(HelperGoneException.class);
            await().until(() -> !helper.alive());
            child.awaitExit();
        }
        assertThat(share.usedBytes()).isZero();
    }

    @Test
    void anAnswerThatIsAnnouncedAndNotSentHoldsLittle() throws Exception {
        HelperProcess helper = start(
                "/bin/sh",
                "-c",
                "head -c 10 >/dev/null; printf '\\003\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\001\\000\"'; sleep 30");
        Threads.virtual("asker", () -> {
            try {
                helper.run(read(directory), memory());
            } catch (HelperGoneException | InterruptedException e) {
                return; // expected when it is closed below
            }
        });
        await().until(() -> share.usedBytes() > 0);
        assertThat(share.usedBytes()).isLessThanOrEqualTo(64 * 1024);
        helper.close();
    }
}
