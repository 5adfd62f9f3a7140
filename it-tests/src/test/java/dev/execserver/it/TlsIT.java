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
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Optional;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with {@code --tls-cert} and {@code --tls-key}: wss:// for clients, https:// for files and health checks. */
@Timeout(120)
class TlsIT {
    private static final char[] PASSWORD = "password".toCharArray();
    private static final String TOKEN = "secret";

    @TempDir
    private static Path directory;

    private static ServerProcess server;
    private static SSLContext trusting;

    @BeforeAll
    static void start() throws Exception {
        KeyStore made = selfSigned();
        Certificate certificate = made.getCertificate("server");
        Path cert = pem("cert.pem", "CERTIFICATE", certificate.getEncoded());
        Key key = made.getKey("server", PASSWORD);
        Path keyFile = pem("key.pem", "PRIVATE KEY", key.getEncoded());
        Path token = Files.writeString(directory.resolve("token"), TOKEN);
        trusting = trusting(certificate);
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

    private static KeyStore selfSigned() throws Exception {
        Path store = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=exec-server test",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore made = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            made.load(in, PASSWORD);
        }
        return made;
    }

    private static Path pem(String name, String kind, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(
                directory.resolve(name), "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    private static SSLContext trusting(Certificate certificate) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("server", certificate);
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
