package dev.execserver.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Alone;
import dev.execserver.it.support.FileTransferTest;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RawHttpClient;
import dev.execserver.it.support.RawHttpClient.Response;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers under which something breaks, and what they may cost. */
@Alone
@Timeout(120)
class FileTransferFaultsIT extends FileTransferTest {

    @Test
    void anUploadThatIsCutLeavesEverythingAsItWas() throws IOException {
        Path file = file("old");
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            http.head(line("PUT", file) + "|Content-Length: 1000000").bytes(new byte[600_000]);
        }
        await().atMost(Duration.ofSeconds(10)).until(() -> names().equals(List.of("file")));
        assertThat(file).hasContent("old");
        assertThat(ask(line("GET", file)).text()).isEqualTo("old");
    }

    @Test
    void aFullDiskIsSaidAndTheOldFileStaysWhole() throws Exception {
        Path small = Files.createDirectory(directory.resolve("small"));
        run("mount", "-t", "tmpfs", "-o", "size=1m", "none", small.toString());
        try {
            Path file = Files.writeString(small.resolve("file"), "old");
            JsonNode error = error(put(file, "", "x".repeat(3_000_000)), 507);
            assertThat(error.get("message").asText()).isEqualTo("No space left on device (os error 28)");
            assertThat(error.get("data").get("path").asText()).isEqualTo(file.toString());
            assertThat(file).hasContent("old");
            assertThat(small.toFile().list()).containsExactly("file");
            assertThat(put(file, "", "new").status()).isEqualTo(204);
        } finally {
            run("umount", small.toString());
        }
    }

    @Test
    void aFileThatBecomesShorterEndsTheDownloadEarly() throws IOException {
        Path file = directory.resolve("shrinking");
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw")) {
            content.setLength(256L << 20);
            try (RawHttpClient http = RawHttpClient.connect(server.port())) {
                assertThat(http.head(line("GET", file)).responseHead().header("content-length"))
                        .contains("268435456");
                content.setLength(0);
                assertThat(http.drain()).isLessThan(256L << 20);
            }
        }
    }

    @Test
    void aPeerThatStallsIsDroppedAndASlowOneIsNot() throws IOException {
        Path file = directory.resolve("slow");
        try (RawHttpClient http = RawHttpClient.connect(hasty.port())) {
            http.head(line("PUT", file) + "|Content-Length: 10");
            for (int i = 0; i < 9; i++) {
                http.bytes(new byte[1]);
                long next = System.nanoTime() + 300_000_000L;
                await().pollInterval(Duration.ofMillis(5)).until(() -> System.nanoTime() > next);
            }
            http.bytes(new byte[1]);
            assertThat(http.response().status()).isEqualTo(201);
        }
        try (RawHttpClient http = RawHttpClient.connect(hasty.port())) {
            http.head(line("PUT", file) + "|Content-Length: 10").bytes(new byte[5]);
            assertThat(http.drain()).isLessThanOrEqualTo(0);
        }
        await().atMost(Duration.ofSeconds(10)).until(() -> names().equals(List.of("slow")));
        assertThat(file).hasSize(10);
    }

    @Test
    void whoIsRefusedWhileTheBodyIsStillToComeReadsTheAnswerAndSeesTheEndAtOnce() throws IOException {
        for (String head : List.of(
                "PUT /files HTTP/1.1" + AUTH,
                "PUT /files?path=" + directory.resolve("x") + " HTTP/1.1|Host: 127.0.0.1",
                "POST /healthz HTTP/1.1" + AUTH,
                "POST /elsewhere HTTP/1.1" + AUTH)) {
            long begun = System.nanoTime();
            try (RawHttpClient http = RawHttpClient.connect(server.port())) {
                http.head(head + "|Content-Length: 10000000").bytes(new byte[1000]);
                assertThat(http.response().status()).as(head).isIn(400, 401, 413);
                assertThat(http.drain()).as(head).isZero();
            }
            // Until the body was given up for lost that took 30 s.
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).as(head).isLessThan(Duration.ofSeconds(15));
        }
        assertThat(directory.resolve("x")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zz\r\nabc\r\n0\r\n\r\n",
                "-1\r\nabc\r\n0\r\n\r\n",
                "0x3\r\nabc\r\n0\r\n\r\n",
                "fffffffffffffffff\r\nabc",
                "3\r\nabcX\r\n0\r\n\r\n",
                "3\nabc\n0\n\n",
                "\r\nabc\r\n0\r\n\r\n",
                ";x\r\nabc\r\n0\r\n\r\n"
            })
    void aBodyThatLiesAboutItsChunksIsRefusedAtOnce(String body) throws IOException {
        Path file = file("old");
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            http.head(line("PUT", file) + "|Transfer-Encoding: chunked").bytes(body.getBytes(ISO_8859_1));
            assertThat(error(http.response(), 400).get("message").asText()).contains("chunks");
            assertThat(http.drain()).isZero();
        }
        assertThat(file).hasContent("old");
        assertThat(names()).containsExactly("file");
    }

    /** Helidon's own reader holds each chunk as a whole, and a line that does not end too. */
    @Test
    void neitherAHugeChunkNorAnEndlessLineFillsTheMemory() throws IOException {
        byte[] piece = new byte[1 << 20];
        Arrays.fill(piece, (byte) '1');
        long before = ProcFs.residentKiB(server.pid());
        Path file = directory.resolve("huge");
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            http.head(line("PUT", file) + "|Transfer-Encoding: chunked").bytes("20000000\r\n".getBytes(ISO_8859_1));
            for (int i = 0; i < 512; i++) {
                http.bytes(piece);
            }
            http.bytes("\r\n0\r\n\r\n".getBytes(ISO_8859_1));
            assertThat(http.response().status()).isEqualTo(201);
        }
        assertThat(file).hasSize(512L << 20);
        for (String head : List.of(
                line("PUT", file),
                line("PUT", file).replace("secret", "wrong"),
                "POST /healthz HTTP/1.1|Host: 127.0.0.1",
                "POST / HTTP/1.1|Host: 127.0.0.1")) {
            for (String start : List.of("", "7fffffff\r\n")) {
                try (RawHttpClient http = RawHttpClient.connect(server.port())) {
                    http.head(head + "|Transfer-Encoding: chunked").bytes(start.getBytes(ISO_8859_1));
                    for (int i = 0; i < 256; i++) {
                        http.bytes(piece);
                    }
                } catch (SocketException e) {
                    // refused and closed, which is what is wanted
                }
            }
        }
        assertThat(ProcFs.residentKiB(server.pid()) - before).isLessThan(64 * 1024);
    }

    @Test
    void whoDoesNotSayWhereTheBodyEndsMustNotEmptyAFile() throws IOException {
        Path file = file("old");
        assertThat(error(ask(line("PUT", file)), 411).get("message").asText()).contains("Content-Length");
        assertThat(file).hasContent("old");
    }

    @Test
    void refusalsAreNoErrorsOfTheServer() throws IOException {
        error(put(Path.of("/proc/x"), "", "body"), 404);
        assertThat(server.stderr()).doesNotContain("/files failed");
    }

    @Test
    void atMost64TransfersRunAtOnce() throws IOException {
        Path file = directory.resolve("large");
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw")) {
            content.setLength(64L << 20);
        }
        List<RawHttpClient> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 64; i++) {
                RawHttpClient http = RawHttpClient.connect(server.port());
                slow.add(http);
                assertThat(http.head(line("GET", file)).responseHead().status()).isEqualTo(200);
            }
            Response refused = ask(line("GET", file));
            assertThat(error(refused, 503).get("data").get("reason").asText()).isEqualTo("tooManyTransfers");
        } finally {
            for (RawHttpClient http : slow) {
                http.close();
            }
        }
        await().atMost(Duration.ofSeconds(20))
                .until(() -> ask(line("HEAD", file)).status() == 200);
    }

    @Test
    void largeFilesNeedLittleMemory() throws IOException {
        Path file = directory.resolve("large");
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw")) {
            content.setLength(1L << 30);
        }
        long before = ProcFs.residentKiB(server.pid());
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            http.head(line("GET", file) + "|Connection: close").responseHead();
            assertThat(http.drain()).isEqualTo(1L << 30);
        }
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            http.head(line("PUT", directory.resolve("copy")) + "|Content-Length: " + (512L << 20));
            byte[] piece = new byte[1 << 20];
            for (int i = 0; i < 512; i++) {
                http.bytes(piece);
            }
            assertThat(http.response().status()).isEqualTo(201);
        }
        assertThat(directory.resolve("copy")).hasSize(512L << 20);
        assertThat(ProcFs.residentKiB(server.pid()) - before).isLessThan(64 * 1024);
    }
}
