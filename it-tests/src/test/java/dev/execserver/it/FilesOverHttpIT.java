package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RawHttpClient;
import dev.execserver.it.support.RawHttpClient.Response;
import dev.execserver.it.support.ServerProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /files}: whole files over HTTP, byte for byte. */
@Timeout(120)
class FilesOverHttpIT {

    private static final String AUTH = "|Host: 127.0.0.1|Authorization: Bearer secret";

    @TempDir
    static Path shared;

    private static ServerProcess server;
    private static ServerProcess open;
    private static ServerProcess hasty;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws IOException {
        String token = Files.writeString(shared.resolve("token"), "secret").toString();
        server = ServerProcess.listening(
                "--ws-auth", "capability-token", "--ws-token-file", token, "--allowed-hosts", "box.example");
        hasty = ServerProcess.listening(
                "--ws-auth",
                "capability-token",
                "--ws-token-file",
                token,
                "--request-timeout",
                "500ms",
                "--origin-guard",
                "off");
        open = ServerProcess.listening();
    }

    @AfterAll
    static void stop() {
        server.close();
        hasty.close();
        open.close();
    }

    private static String line(String method, Path path) {
        return method + " /files?path=" + path + " HTTP/1.1" + AUTH;
    }

    private static Response ask(String head) throws IOException {
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            return http.head(head).response(!head.startsWith("HEAD"));
        }
    }

    private static Response put(Path path, String headers, String body) throws IOException {
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            http.head(line("PUT", path) + "|Content-Length: " + body.length() + headers);
            return http.bytes(body.getBytes(UTF_8)).response();
        }
    }

    private static JsonNode error(Response response, int status) {
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        assertThat(response.header("content-type")).contains("application/json");
        return Json.parse(response.text()).get("error");
    }

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("file"), content);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

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

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                .as(String.join(" ", command))
                .isZero();
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

    @Test
    void withoutAuthenticationThereAreNoFiles() throws IOException {
        try (RawHttpClient http = RawHttpClient.connect(open.port())) {
            JsonNode error = error(http.head(line("GET", file("x"))).response(), 403);
            assertThat(error.get("message").asText()).contains("start the server with --ws-auth");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "Host: 127.0.0.1; 401; missing",
                "Host: 127.0.0.1|Authorization: Bearer wrong; 401; invalid",
                "Host: localhost|Authorization: Bearer secret; 403; `localhost`",
                "Host: localhost:80|Authorization: Bearer secret; 403; --allowed-hosts",
                "Host: 127.1|Authorization: Bearer secret; 403; `127.1`",
                "Host: 2130706433|Authorization: Bearer secret; 403; 2130706433",
                "Host: 127.0.0.1.evil.example|Authorization: Bearer secret; 403; evil.example",
                "Host: 127.0.0.1|Authorization: Bearer secret|Origin: null; 403; origin",
                "Host: 127.0.0.1|Authorization: Bearer secret|Sec-Fetch-Site: same-origin; 403; sec-fetch-site",
                "Host: 127.0.0.1|Authorization: Bearer secret|Exec-Server-Session: s; 400; cannot sandbox"
            })
    void whoeverMayNotIsToldWhy(String headers, int status, String why) throws IOException {
        Path file = file("x");
        for (String method : List.of("GET", "PUT")) {
            String more = method.equals("PUT") ? "|Content-Length: 0" : "";
            Response response = ask(method + " /files?path=" + file + " HTTP/1.1|" + headers + more);
            assertThat(error(response, status).get("message").asText()).contains(why);
            assertThat(response.header("www-authenticate").isPresent()).isEqualTo(status == 401);
        }
        assertThat(file).hasContent("x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.1:4000", "[::1]:80", "box.example", "BOX.example:1"})
    void literalAddressesAndAllowedNamesMay(String host) throws IOException {
        Response response =
                ask("GET /files?path=" + file("x") + " HTTP/1.1|Host: " + host + "|Authorization: Bearer secret");
        assertThat(response.status()).isEqualTo(200);
    }

    @Test
    void webPagesAreRefusedWhateverTheOriginGuardSays() throws IOException {
        try (RawHttpClient http = RawHttpClient.connect(hasty.port())) {
            assertThat(http.head(line("GET", file("x")) + "|Origin: http://127.0.0.1")
                            .response()
                            .status())
                    .isEqualTo(403);
        }
    }

    @Test
    void oddRequestsAreRefused() throws IOException {
        String path = file("x").toString();
        assertThat(error(ask("GET /files HTTP/1.1" + AUTH), 400).get("message").asText())
                .contains("/files?path=");
        assertThat(ask("GET /files?path=x HTTP/1.1" + AUTH).status()).isEqualTo(400);
        assertThat(ask("GET /files?path=" + path + "&session=s HTTP/1.1" + AUTH).status())
                .isEqualTo(400);
        assertThat(ask("GET /files/?path=" + path + " HTTP/1.1" + AUTH).status())
                .isEqualTo(404);
        Response method = ask("DELETE /files?path=" + path + " HTTP/1.1" + AUTH);
        assertThat(error(method, 405).get("message").asText()).contains("DELETE");
        assertThat(method.header("allow")).contains("GET,HEAD,PUT");
        assertThat(ask("GET /files?path=file://" + path + " HTTP/1.1" + AUTH).text())
                .isEqualTo("x");
    }

    @Test
    void aPeerThatStallsIsDroppedAndASlowOneIsNot() throws IOException {
        Path file = directory.resolve("slow");
        try (RawHttpClient http = RawHttpClient.connect(hasty.port())) {
            http.head(line("PUT", file) + "|Content-Length: 10");
            for (int i = 0; i < 9; i++) {
                http.bytes(new byte[1]);
                long next = System.nanoTime() + 150_000_000L;
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
