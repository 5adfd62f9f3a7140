package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.UnsupportedFeatureException;
import dev.execserver.client.files.FileTransfers;
import dev.execserver.client.files.FileTransfers.Download;
import dev.execserver.client.files.TransferFailedException;
import dev.execserver.client.http.HttpReply;
import dev.execserver.client.http.HttpSpec;
import dev.execserver.client.http.StreamedReply;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.Entry;
import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.permissions.SpecialPath;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HTTP requests and whole files through the Java client. */
@Timeout(60)
class ClientHttpIT {

    @TempDir
    static Path shared;

    private static ServerProcess server;

    @TempDir
    private Path directory;

    private RawHttpServer http;
    private ExecServerClient client;

    @BeforeAll
    static void start() throws IOException {
        String token = Files.writeString(shared.resolve("token"), "secret").toString();
        server = ServerProcess.listening("--ws-auth", "capability-token", "--ws-token-file", token);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() throws InterruptedException {
        http = RawHttpServer.answering(this::answer);
        client = ExecServerClient.connect(
                ClientOptions.url(server.url().toString()).bearerToken("secret").build());
    }

    @AfterEach
    void disconnect() {
        client.close();
        http.close();
    }

    private void answer(RawHttpServer.Request request, OutputStream out) throws IOException {
        switch (request.path()) {
            case "/stuck" -> {
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart".getBytes(UTF_8));
                throw new RawHttpServer.SilenceException();
            }
            case "/broken" -> {
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart".getBytes(UTF_8));
                throw new IOException("broken");
            }
            default -> out.write(RawHttpServer.ok("you said " + request.body()));
        }
    }

    private static PathUri remote(Path path) {
        return PathUri.ofNative(path.toString());
    }

    @Test
    void aRequestGetsItsWholeReply() throws InterruptedException {
        HttpReply reply = client.http()
                .request(HttpSpec.of("POST", http.url("/x"))
                        .header("X-T", "1")
                        .body("hello".getBytes(UTF_8))
                        .timeout(Duration.ofSeconds(5)));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("content-length")).contains("14");
        assertThat(reply.body()).asString(UTF_8).isEqualTo("you said hello");
        assertThat(http.next().all("x-t")).containsExactly("1");
    }

    @Test
    void aRefusedConnectionIsTheServersWord() {
        assertThatExceptionOfType(RequestFailedException.class)
                .isThrownBy(() -> client.http().request(HttpSpec.get("http://127.0.0.1:1/")))
                .withMessageContaining("error sending request for url");
    }

    @Test
    void aBodyIsAStream() throws Exception {
        try (StreamedReply reply = client.http().stream(HttpSpec.get(http.url("/x")))) {
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.body().readAllBytes()).asString(UTF_8).isEqualTo("you said ");
        }
        try (StreamedReply reply = client.http().stream(HttpSpec.get(http.url("/broken")))) {
            assertThat(reply.body().readNBytes(4)).asString(UTF_8).isEqualTo("part");
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> reply.body().read())
                    .withMessage("error decoding response body");
        }
    }

    @Test
    void closingABodyEndsTheTransfer() throws Exception {
        try (StreamedReply reply = client.http().stream(HttpSpec.get(http.url("/stuck")))) {
            assertThat(reply.body().readNBytes(4)).asString(UTF_8).isEqualTo("part");
            assertThat(http.connections()).isEqualTo(1);
        }
        await().atMost(Duration.ofSeconds(10)).until(() -> http.connections() == 0);
    }

    @Test
    void aStreamEndsWithItsConnection() throws Exception {
        StreamedReply reply = client.http().stream(HttpSpec.get(http.url("/stuck")));
        assertThat(reply.body().readNBytes(4)).hasSize(4);
        client.close();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> reply.body().read());
    }

    @Test
    void filesGoUpAndDown() throws Exception {
        Path local = directory.resolve("local");
        Path far = directory.resolve("far ü+%20");
        Files.write(local, new byte[3_000_000]);
        String tag = client.transfers().create(local, remote(far));
        assertThat(far).hasSameBinaryContentAs(local);
        try (Download download = client.transfers().open(remote(far), 2_999_990)) {
            assertThat(download.bytes()).isEqualTo(10);
            assertThat(download.tag()).isEqualTo(tag);
            assertThat(download.content().readAllBytes()).hasSize(10);
        }
        Path back = directory.resolve("back");
        client.transfers().download(remote(far), back);
        assertThat(back).hasSameBinaryContentAs(local);
        Files.writeString(local, "short");
        String second = client.transfers().replace(local, remote(far), tag);
        assertThat(second).isNotEqualTo(tag);
        assertThatExceptionOfType(TransferFailedException.class)
                .isThrownBy(() -> client.transfers().replace(local, remote(far), tag))
                .satisfies(e -> assertThat(e.status()).isEqualTo(412));
        assertThat(far).hasContent("short");
    }

    @Test
    void aSandboxCountsForTransfersToo() throws Exception {
        Path room = Files.createDirectory(directory.resolve("ü room"));
        Path local = Files.writeString(directory.resolve("local"), "content");
        SandboxContext sandbox = SandboxContext.of(
                new PermissionProfile.Managed(
                        new FileSystemPolicy.Restricted(
                                List.of(
                                        Entry.of(new SpecialPath.Root(), Access.READ),
                                        Entry.of(remote(room), Access.WRITE)),
                                OptionalInt.empty()),
                        NetworkPolicy.RESTRICTED),
                remote(room));
        FileTransfers transfers = client.transfers(sandbox);
        String tag = transfers.create(local, remote(room.resolve("made")));
        assertThat(room.resolve("made")).hasContent("content");
        try (Download download = transfers.open(remote(room.resolve("made")))) {
            assertThat(download.tag()).isEqualTo(tag);
        }
        assertThatExceptionOfType(TransferFailedException.class)
                .isThrownBy(() -> transfers.upload(local, remote(directory.resolve("elsewhere"))))
                .satisfies(e -> assertThat(e.status()).isEqualTo(403));
        assertThat(directory.resolve("elsewhere")).doesNotExist();
    }

    @Test
    void aFailedDownloadLeavesTheLocalFileAlone() throws IOException {
        Path local = Files.writeString(directory.resolve("local"), "mine");
        assertThatExceptionOfType(TransferFailedException.class)
                .isThrownBy(() -> client.transfers().download(remote(directory.resolve("none")), local))
                .withMessageContaining("No such file")
                .satisfies(e -> assertThat(e.status()).isEqualTo(404));
        assertThat(local).hasContent("mine");
        assertThat(directory.toFile().list()).containsExactly("local");
    }

    @Test
    void aServerWithoutAuthenticationTransfersNothing() throws InterruptedException {
        try (ServerProcess open = ServerProcess.listening();
                ExecServerClient stranger = ExecServerClient.connect(
                        ClientOptions.url(open.url().toString()).build())) {
            assertThatExceptionOfType(UnsupportedFeatureException.class).isThrownBy(stranger::transfers);
        }
    }
}
