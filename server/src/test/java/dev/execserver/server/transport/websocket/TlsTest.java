package dev.execserver.server.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.Transport;
import dev.execserver.server.transport.auth.Authenticator;
import dev.execserver.server.transport.tls.PemFiles;
import dev.execserver.server.transport.tls.SelfSigned;
import dev.execserver.server.transport.websocket.WebSocketOptions.Access;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class TlsTest {
    private static PeerServer server;
    private static SSLContext trusting;
    private static WebSocketOptions secured;

    @BeforeAll
    static void start() throws Exception {
        SelfSigned signed = SelfSigned.shared();
        secured = WebSocketOptions.DEFAULT
                .with(new Access(
                        Authenticator.NONE,
                        true,
                        Optional.of(PemFiles.serverContext(signed.certificateFile(), signed.keyFile()))))
                .with(WebSocketOptions.DEFAULT.times().withClose(Duration.ofMillis(300)));
        server = PeerServer.start(secured);
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("server", signed.certificate());
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trust);
        trusting = SSLContext.getInstance("TLS");
        trusting.init(null, managers.getTrustManagers(), null);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static RawClient upgraded() throws Exception {
        Socket socket = trusting.getSocketFactory().createSocket();
        socket.connect(new InetSocketAddress("127.0.0.1", server.port()), 5000);
        RawClient client = new RawClient(socket);
        assertThat(client.request(RawClient.upgradeRequest()).status()).isEqualTo(101);
        return client;
    }

    @Test
    void messagesOfAllSizesGoBothWaysAndTheConnectionEndsInOrder() throws Exception {
        try (RawClient client = upgraded()) {
            assertThat(server.server().url()).startsWith("wss://127.0.0.1:");
            Transport transport = server.nextTransport();
            for (int size : new int[] {0, 1, 200, 16_384, 70_000, 3_000_000}) {
                byte[] payload = new byte[size];
                new Random(size).nextBytes(payload);
                client.frame(true, RawClient.BINARY, payload);
                assertThat(server.nextMessage()).isEqualTo(payload);
                PeerServer.write(transport, payload);
                assertThat(client.readData().payload()).isEqualTo(payload);
            }
            client.close(1000, "");
            assertThat(client.readData().closeCode()).isEqualTo(1000);
            assertThat(client.ended()).isTrue();
            server.nextEnded();
        }
    }

    @Test
    void abortWakesABlockedWriter() throws Exception {
        try (RawClient client = upgraded()) {
            Transport transport = server.nextTransport();
            CountDownLatch stopped = PeerServer.flood(transport);
            client.text("sync");
            server.nextMessage();
            transport.close(CloseReason.NORMAL);
            assertThat(stopped.await(20, TimeUnit.SECONDS)).isTrue();
            server.nextEnded();
            await().until(() -> server.server().connections() == 0);
        }
    }

    @Test
    void peerThatNeverFinishesTheHandshakeIsDropped() throws Exception {
        WebSocketOptions hasty = secured.with(secured.times().withRequest(Duration.ofMillis(300)));
        try (PeerServer impatient = PeerServer.start(hasty);
                RawClient client = RawClient.connect(impatient.port())) {
            assertThat(client.ended()).isTrue();
        }
    }
}
