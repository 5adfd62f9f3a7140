package dev.execserver.client.files;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.client.transport.Endpoint;
import dev.execserver.protocol.paths.PathUri;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Transfers whose connection stands still. The server sends the answer of a test, and then neither reads nor writes.
 */
@Timeout(60)
class FileTransfersTest {
    private static final PathUri FILE = PathUri.ofNative("/f");
    private static final Duration STALL = Duration.ofMillis(200);
    private static final String HEADER = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n";

    private final List<Socket> open = new ArrayList<>();
    private ServerSocket listener;
    private FileTransfers transfers;
    private FileTransfers patient;

    @BeforeEach
    void listen() throws IOException {
        listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        transfers = transfers(STALL);
        patient = transfers(Duration.ofSeconds(50));
    }

    @AfterEach
    void close() throws IOException {
        transfers.close();
        patient.close();
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    @Test
    void c106_aDownloadThatIsNeverAnsweredFails() {
        serve("");

        assertThatThrownBy(() -> transfers.open(FILE))
                .isInstanceOf(TransferStalledException.class)
                .hasMessage("nothing has moved over HTTP for 200 ms");
    }

    @Test
    void c106_aDownloadThatStandsStillInTheMiddleFails() throws Exception {
        TimedBody content = new TimedBody(STALL);
        content.onSubscribe(new Silent());
        content.onNext(List.of(ByteBuffer.wrap("abc".getBytes(US_ASCII))));

        assertThat(content.readNBytes(3)).isEqualTo("abc".getBytes(US_ASCII));
        assertThatThrownBy(content::read).isInstanceOf(TransferStalledException.class);
        assertThatThrownBy(content::read).isInstanceOf(IOException.class).hasMessage("the stream is closed");
    }

    @Test
    void c106_anUploadThatNobodyTakesFails() {
        serve("HTTP/1.1 100 Continue\r\n\r\n");
        InputStream large = new ByteArrayInputStream(new byte[64 << 20]);

        assertThatThrownBy(() -> transfers.upload(large, 64 << 20, FILE)).isInstanceOf(TransferStalledException.class);
    }

    @Test
    void aDownloadThatIsCompleteIsReadToItsEnd() throws Exception {
        serve(HEADER + "0123456789");

        try (FileTransfers.Download download = patient.open(FILE)) {
            assertThat(download.bytes()).isEqualTo(10);
            assertThat(download.content().readAllBytes()).isEqualTo("0123456789".getBytes(US_ASCII));
            assertThat(download.content().read()).isEqualTo(-1);
        }
    }

    @Test
    void aDownloadThatBreaksOffIsAnError() throws Exception {
        serve(HEADER + "abc");
        try (FileTransfers.Download download = patient.open(FILE)) {
            assertThat(download.content().readNBytes(3)).hasSize(3);
            open.getFirst().close();
            assertThatThrownBy(() -> download.content().read())
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(TransferStalledException.class);
        }
    }

    /** Subscription that delivers nothing. */
    private static final class Silent implements Flow.Subscription {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
    }

    private FileTransfers transfers(Duration stallTimeout) {
        Endpoint endpoint = new Endpoint(false, "127.0.0.1", listener.getLocalPort(), "/");
        return new FileTransfers(endpoint, () -> "token", Optional.empty(), Duration.ofSeconds(10), stallTimeout);
    }

    private void serve(String answer) {
        Thread unused = Thread.ofVirtual().start(() -> {
            try {
                Socket socket = listener.accept();
                open.add(socket);
                byte[] head = new byte[64 << 10];
                int length = 0;
                while (!new String(head, 0, length, US_ASCII).endsWith("\r\n\r\n")) {
                    int count = socket.getInputStream().read(head, length, head.length - length);
                    if (count < 0) {
                        return; // the client has given up
                    }
                    length += count;
                }
                socket.getOutputStream().write(answer.getBytes(US_ASCII));
            } catch (IOException testIsOver) {
                assertThat(listener.isClosed()).isTrue();
            }
        });
    }
}
