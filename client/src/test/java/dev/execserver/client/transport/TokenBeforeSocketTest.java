package dev.execserver.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The token is there before a socket is, so that its supplier may ask a person. */
@Timeout(30)
class TokenBeforeSocketTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir
    private Path directory;

    private final AtomicInteger asked = new AtomicInteger();
    private final UpgradeHeaders headers = UpgradeHeaders.NONE.withToken(() -> "t" + asked.incrementAndGet());

    @Test
    void theSupplierIsAskedBeforeTheServerIsReached() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        refused(new WebSocketConnector(Endpoint.parse("ws://127.0.0.1:" + port), headers, Optional.empty()));
        refused(new UnixConnector(directory.resolve("nothing"), headers));
        assertThat(asked).hasValue(2);
    }

    private static void refused(Connector connector) {
        assertThatThrownBy(() -> connector.open(LIMIT)).isInstanceOf(IOException.class);
    }

    @Test
    void noTokenIsAskedForWhereNoneMayGo() {
        refused(new WebSocketConnector(Endpoint.parse("ws://192.0.2.1:1"), headers, Optional.empty()));
        assertThat(asked).hasValue(0);
    }
}
