package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.error.ConnectFailedException;
import dev.execserver.client.files.FileTransfers.Download;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.it.support.SelfSigned;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.protocol.paths.PathUri;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with {@code --tls-cert} and {@code --tls-key}: wss:// for clients, https:// for files and health checks. */
@Timeout(120)
class TlsIT {
    private static final String TOKEN = "secret";

    @TempDir
    private static Path directory;

    private static ServerProcess server;
    private static SSLContext trusting;

    @BeforeAll
    static void start() throws Exception {
        SelfSigned made = SelfSigned.make(directory, "server");
        Path cert = directory.resolve("cert.pem");
        Path keyFile = directory.resolve("key.pem");
        made.write(cert, keyFile);
        Path token = Files.writeString(directory.resolve("token"), TOKEN);
        trusting = made.trusting();
        server = ServerProcess.listening(
                "--tls-cert",
                cert.toString(),
                "--tls-key",
                keyFile.toString(),
                "--ws-auth",
                "capability-token",
                "--ws-token-file",
                token.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theUrlSaysThatItIsEncrypted() {
        assertThat(server.url().getScheme()).isEqualTo("wss");
    }

    @Test
    void aClientThatTrustsTheCertificateRunsProgramsAndMovesFiles() throws Exception {
        byte[] content = new byte[5_000_000];
        new Random(3).nextBytes(content);
        Path file = Files.write(directory.resolve("file"), content);
        PathUri copy = PathUri.ofNative(directory.resolve("copy").toString());
        try (ExecServerClient client =
                ExecServerClient.connect(options().sslContext(trusting).build())) {
            try (RemoteProcess process = client.start(ProcessSpec.of("cat", file.toString()))) {
                assertThat(process.stdout().readAllBytes()).isEqualTo(content);
                assertThat(process.waitFor()).isEqualTo(new Outcome.Exited(0, Optional.empty()));
            }
            String unused = client.transfers().upload(file, copy);
            try (Download download = client.transfers().open(copy);
                    InputStream in = download.content()) {
                assertThat(in.readAllBytes()).isEqualTo(content);
            }
        }
    }

    @Test
    void aClientThatDoesNotTrustItDoesNotConnect() {
        assertThatExceptionOfType(ConnectFailedException.class)
                .isThrownBy(() -> ExecServerClient.connect(options().build()))
                .withMessageContaining("certificat");
    }

    @Test
    void c113_aPeerMayNotRenegotiate() throws Exception {
        try (SSLSocket socket = (SSLSocket) trusting.getSocketFactory().createSocket("127.0.0.1", server.port())) {
            socket.setSoTimeout(30_000);
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.startHandshake();
            socket.getOutputStream().write("GET /readyz HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> {
                socket.startHandshake(); // only sends the wish: the answer comes with what is read
                socket.getOutputStream().write("Host: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                int first = socket.getInputStream().read();
                throw new AssertionError("answered after a second handshake: " + first);
            });
        }
    }

    @Test
    void healthChecksAreHttps() throws Exception {
        try (HttpClient http = HttpClient.newBuilder().sslContext(trusting).build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + "/readyz"))
                    .build();
            assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        }
        try (HttpClient stranger = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + "/readyz"))
                    .build();
            assertThatExceptionOfType(SSLException.class)
                    .isThrownBy(() -> stranger.send(request, BodyHandlers.discarding()));
        }
        try (HttpClient plain = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/readyz"))
                    .build();
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> plain.send(request, BodyHandlers.discarding()));
        }
    }

    @Test
    void halfOfThePairIsRefusedAtTheStart() {
        try (ServerProcess refused = ServerProcess.launched(
                "--tls-cert", directory.resolve("cert.pem").toString())) {
            assertThat(refused.exitStatus()).isEqualTo(2);
            assertThat(refused.stderr()).contains("--tls-key");
        }
    }

    private static ClientOptions.Builder options() {
        return ClientOptions.url("wss://127.0.0.1:" + server.port()).bearerToken(TOKEN);
    }
}
