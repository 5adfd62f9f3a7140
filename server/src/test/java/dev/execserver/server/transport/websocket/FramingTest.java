package dev.execserver.server.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain messages of all sizes at which the frame header changes, over a real socket. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class FramingTest {
    private static WebSocketServer server;

    @BeforeAll
    static void start() {
        server = EchoServer.start(WebSocketOptions.DEFAULT);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 127, 128, 65535, 65536, 65537, 1_000_000})
    void textOfThisSizeComesBackInOneFrame(int size) throws Exception {
        try (RawClient client = RawClient.upgraded(server.port())) {
            client.text("*".repeat(size));
            RawClient.Frame frame = client.read();
            assertThat(frame.fin()).isTrue();
            assertThat(frame.opcode()).isEqualTo(RawClient.TEXT);
            assertThat(frame.text()).isEqualTo("*".repeat(size));
        }
    }

    @Test
    void binaryIsAcceptedAndAnsweredWithText() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port())) {
            client.frame(true, RawClient.BINARY, "{}".getBytes());
            assertThat(client.read().opcode()).isEqualTo(RawClient.TEXT);
        }
    }
}
