package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.FileTransferTest;
import dev.execserver.it.support.RawHttpClient;
import dev.execserver.it.support.RawHttpClient.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code /files}: whole files over HTTP, byte for byte. */
@Timeout(120)
class FilesOverHttpIT extends FileTransferTest {

    @Test
    void aFileComesWholeWithWhatACacheNeeds() throws IOException {
        Path file = file("0123456789");
        Response response = ask(line("GET", file));
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.text()).isEqualTo("0123456789");
        assertThat(response.header("content-type")).contains("application/octet-stream");
        assertThat(response.header("x-content-type-options")).contains("nosniff");
        assertThat(response.header("accept-ranges")).contains("bytes");
        assertThat(response.header("etag").orElseThrow()).matches("\"[0-9a-f-]+\"");
        assertThat(response.header("last-modified").orElseThrow()).endsWith("GMT");
        Response head = ask(line("HEAD", file));
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("content-length")).contains("10");
        assertThat(head.header("etag")).isEqualTo(response.header("etag"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "bytes=2-4; 206; 234; bytes 2-4/10",
                "bytes=7-; 206; 789; bytes 7-9/10",
                "bytes=-3; 206; 789; bytes 7-9/10",
                "bytes=0-99; 206; 0123456789; bytes 0-9/10",
                "bytes=0-1,4-5; 200; 0123456789; none",
                "lines=1-2; 200; 0123456789; none"
            })
    void oneRangeIsServedAndSeveralAreNot(String range, int status, String body, String contentRange)
            throws IOException {
        Response response = ask(line("GET", file("0123456789")) + "|Range: " + range);
        assertThat(response.status()).isEqualTo(status);
        assertThat(response.text()).isEqualTo(body);
        assertThat(response.header("content-range").orElse("none")).isEqualTo(contentRange);
    }

    @Test
    void aRangeBehindTheEndIsNotSatisfiable() throws IOException {
        Path file = file("0123456789");
        Response response = ask(line("GET", file) + "|Range: bytes=10-");
        assertThat(error(response, 416).get("data").get("path").asText()).isEqualTo(file.toString());
        assertThat(response.header("content-range")).contains("bytes */10");
    }

    @Test
    void conditionsTellStatesApart() throws IOException {
        Path file = file("1");
        String get = line("GET", file);
        Response first = ask(get);
        String tag = first.header("etag").orElseThrow();
        String date = first.header("last-modified").orElseThrow();
        assertThat(ask(get + "|If-None-Match: " + tag).status()).isEqualTo(304);
        assertThat(ask(get + "|If-None-Match: W/" + tag).status()).isEqualTo(304);
        assertThat(ask(get + "|If-None-Match: \"x\", " + tag).status()).isEqualTo(304);
        assertThat(ask(get + "|If-None-Match: \"x\"").status()).isEqualTo(200);
        assertThat(ask(get + "|If-Match: " + tag).status()).isEqualTo(200);
        assertThat(ask(get + "|If-Match: *").status()).isEqualTo(200);
        assertThat(ask(get + "|If-Modified-Since: " + date).status()).isEqualTo(304);
        assertThat(ask(get + "|If-Modified-Since: nonsense").status()).isEqualTo(200);
        assertThat(ask(get + "|If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT")
                        .status())
                .isEqualTo(412);
        assertThat(error(ask(get + "|If-Match: W/" + tag), 412)
                        .get("data")
                        .get("path")
                        .asText())
                .isEqualTo(file.toString());
        assertThat(ask(get + "|Range: bytes=0-0|If-Range: " + tag).status()).isEqualTo(206);
        assertThat(ask(get + "|Range: bytes=0-0|If-Range: \"x\"").status()).isEqualTo(200);
        Files.writeString(file, "22");
        assertThat(ask(get + "|If-Match: " + tag).status()).isEqualTo(412);
        assertThat(ask(get + "|If-None-Match: " + tag).text()).isEqualTo("22");
    }

    @Test
    void whatIsNoRegularFileIsRefusedWithItsName() throws Exception {
        Path fifo = directory.resolve("fifo");
        Path device = directory.resolve("device");
        run("mkfifo", fifo.toString());
        run("mknod", device.toString(), "c", "1", "5");
        Path target = file("old");
        Process holder =
                new ProcessBuilder("sleep", "60").redirectInput(target.toFile()).start();
        Path magic = Path.of("/proc/" + holder.pid() + "/fd/0");
        // Only what belongs to this test: a path that is not refused is replaced.
        for (Path path : List.of(directory, fifo, device, magic)) {
            assertThat(ask(line("GET", path)).status()).as(path.toString()).isEqualTo(403);
            assertThat(put(path, "", "x").status()).as(path.toString()).isEqualTo(403);
        }
        holder.destroyForcibly();
        assertThat(target).hasContent("old");
        assertThat(names()).containsExactly("device", "fifo", "file");
        Path missing = directory.resolve("no/such");
        assertThat(error(ask(line("GET", missing)), 404).get("data").get("path").asText())
                .isEqualTo(missing.toString());
        assertThat(error(put(missing, "", "x"), 404).get("message").asText()).contains("os error 2");
        assertThat(error(ask(line("GET", Path.of("/etc/passwd/x"))), 404)
                        .get("message")
                        .asText())
                .contains("os error 20");
        assertThat(error(put(directory.resolve("n".repeat(256)), "", "x"), 400)
                        .get("message")
                        .asText())
                .contains("os error 36");
    }

    @Test
    void filesOfProcHaveTheirRealLength() throws IOException {
        assertThat(ask(line("GET", Path.of("/proc/self/status"))).text()).startsWith("Name:");
    }

    @Test
    void anUploadMakesOrReplacesAFileAndKeepsItsMode() throws IOException {
        Path file = directory.resolve("new");
        Response made = put(file, "", "one");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.header("etag")).isEqualTo(ask(line("HEAD", file)).header("etag"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r-x------"));
        assertThat(put(file, "", "two").status()).isEqualTo(204);
        assertThat(file).hasContent("two");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("r-x------");
        assertThat(put(file, "", "").status()).isEqualTo(204);
        assertThat(file).isEmptyFile();
        assertThat(names()).containsExactly("new");
    }

    @Test
    void anUploadMayComeInChunks() throws IOException {
        Path file = directory.resolve("chunked");
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            http.head(line("PUT", file) + "|Transfer-Encoding: chunked");
            http.bytes("3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n".getBytes(UTF_8));
            assertThat(http.response().status()).isEqualTo(201);
            assertThat(http.head(line("GET", file)).response().text()).isEqualTo("onetwo");
        }
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            http.head(line("PUT", file) + "|Transfer-Encoding: chunked");
            http.bytes("0003;x=\"y\"\r\nnew\r\n00\r\nX-Trailer: z\r\n\r\n".getBytes(UTF_8));
            assertThat(http.response().status()).isEqualTo(204);
            assertThat(http.drain()).isZero();
        }
        assertThat(file).hasContent("new");
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            http.head(line("PUT", file) + "|Transfer-Encoding: chunked|Expect: 100-continue");
            assertThat(http.line()).contains("100");
            assertThat(http.line()).isEmpty();
            http.bytes("2\r\nok\r\n0\r\n\r\n".getBytes(UTF_8));
            assertThat(http.response().status()).isEqualTo(204);
        }
        assertThat(file).hasContent("ok");
    }

    @Test
    void filesOfSysAreSentAlthoughTheirSizeIsWrong() throws IOException {
        Path file = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        assertThat(ask(line("GET", file)).text()).isEqualTo(Files.readString(file));
        Path proc = Path.of("/proc/sys/kernel/ostype");
        assertThat(ask(line("GET", proc)).text()).isEqualTo(Files.readString(proc));
    }

    @Test
    void anUploadReplacesOnlyTheStateThatItNames() throws IOException {
        Path file = directory.resolve("file");
        String first = put(file, "|If-None-Match: *", "1").header("etag").orElseThrow();
        assertThat(put(file, "|If-None-Match: *", "x").status()).isEqualTo(412);
        assertThat(put(file, "|If-Match: " + first, "2").status()).isEqualTo(204);
        assertThat(error(put(file, "|If-Match: " + first, "3"), 412)
                        .get("data")
                        .get("reason")
                        .asText())
                .isEqualTo("conflict");
        assertThat(put(directory.resolve("none"), "|If-Match: *", "x").status()).isEqualTo(412);
        assertThat(file).hasContent("2");
        assertThat(names()).containsExactly("file");
    }

    @Test
    void partsAndPackedBodiesAreNotTakenForTheWhole() throws IOException {
        Path file = file("old");
        assertThat(error(put(file, "|Content-Range: bytes 0-0/3", "x"), 400)
                        .get("message")
                        .asText())
                .contains("Content-Range");
        assertThat(put(file, "|Content-Encoding: gzip", "x").status()).isEqualTo(400);
        assertThat(file).hasContent("old");
    }

    /** Neither taken for met nor judged by the second: another write may have come within it. */
    @Test
    void aDateThatShallProtectAFileFromBeingOverwrittenIsRefused() throws IOException {
        Path file = file("old");
        String date = "|If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT";
        assertThat(error(put(file, date, "new"), 400).get("message").asText()).contains("If-Match");
        assertThat(file).hasContent("old");
        assertThat(put(file, date + "|If-Match: *", "new").status()).isEqualTo(204);
        assertThat(file).hasContent("new");
    }

    @Test
    void oneConnectionServesManyTransfers() throws IOException {
        Path file = file("0123456789");
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(http.head(line("GET", file)).response().text()).isEqualTo("0123456789");
                http.head(line("PUT", directory.resolve("copy")) + "|Content-Length: 1")
                        .bytes(new byte[] {'x'});
                assertThat(http.response().status()).isEqualTo(i == 0 ? 201 : 204);
                assertThat(http.head(line("GET", directory.resolve("none")))
                                .response()
                                .status())
                        .isEqualTo(404);
            }
        }
    }
}
