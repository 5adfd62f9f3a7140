package dev.execserver.server.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.transport.MessageTooLargeException;
import dev.execserver.server.transport.Transport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sizes of frames and messages, in both directions. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LimitsTest {
    private static final int MIB = 1024 * 1024;

    private PeerServer server;

    @BeforeEach
    void start() throws Exception {
        server = PeerServer.start(WebSocketOptions.DEFAULT);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void frameOfExactly16MiBIsAccepted() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port())) {
            byte[] payload = filled(16 * MIB);
            client.frame(true, RawClient.TEXT, payload);
            assertThat(server.nextMessage()).isEqualTo(payload);
        }
    }

    @Test
    void b25_frameOneByteAbove16MiBIsClosedWithAReason() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port())) {
            client.frame(true, RawClient.TEXT, filled(16 * MIB + 1));
            RawClient.Frame frame = client.readData();
            assertThat(frame.closeCode()).isEqualTo(1009);
            assertThat(frame.closeText()).isEqualTo("frame of 16777217 bytes is above the limit of 16777216 bytes");
            client.close(1009, "");
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void messageOf64MiBInFragmentsIsAcceptedAndOneByteMoreIsNot() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port())) {
            byte[] fragment = filled(8 * MIB);
            client.frame(false, RawClient.TEXT, fragment);
            for (int i = 0; i < 6; i++) {
                client.frame(false, 0, fragment);
            }
            client.frame(true, 0, fragment);
            assertThat(server.nextMessage()).hasSize(64 * MIB);

            client.frame(false, RawClient.TEXT, fragment);
            for (int i = 0; i < 7; i++) {
                client.frame(false, 0, fragment);
            }
            client.frame(true, 0, new byte[] {'x'});
            RawClient.Frame frame = client.readData();
            assertThat(frame.closeCode()).isEqualTo(1009);
            assertThat(frame.closeText()).isEqualTo("message is above the limit of 67108864 bytes");
        }
    }

    @Test
    void longMessagesAreSentInFragmentsOf8MiB() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port())) {
            Transport transport = server.nextTransport();
            byte[] payload = filled(20 * MIB + 3);
            Thread writer = Thread.startVirtualThread(() -> PeerServer.write(transport, payload));
            RawClient.Frame first = client.readData();
            RawClient.Frame second = client.readData();
            RawClient.Frame third = client.readData();
            writer.join();
            assertThat(List.of(first.fin(), second.fin(), third.fin())).containsExactly(false, false, true);
            assertThat(List.of(first.opcode(), second.opcode(), third.opcode())).containsExactly(1, 0, 0);
            assertThat(first.payload()).isEqualTo(Arrays.copyOf(payload, 8 * MIB));
            assertThat(second.payload()).isEqualTo(Arrays.copyOfRange(payload, 8 * MIB, 16 * MIB));
            assertThat(third.payload()).isEqualTo(Arrays.copyOfRange(payload, 16 * MIB, payload.length));
        }
    }

    @Test
    void messageOfExactly8MiBIsOneFrame() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port())) {
            Transport transport = server.nextTransport();
            Thread writer = Thread.startVirtualThread(() -> PeerServer.write(transport, filled(8 * MIB)));
            RawClient.Frame frame = client.readData();
            writer.join();
            assertThat(frame.fin()).isTrue();
            assertThat(frame.payload()).hasSize(8 * MIB);
        }
    }

    @Test
    void nothingAbove64MiBIsSentAndTheConnectionStaysUsable() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port())) {
            Transport transport = server.nextTransport();
            MessageBuffer small = EchoServer.buffer(new byte[] {'a'});
            MessageBuffer large = EchoServer.buffer(new byte[64 * MIB + 1]);
            assertThatThrownBy(() -> transport.write(List.of(small, large), 2))
                    .isInstanceOf(MessageTooLargeException.class)
                    .hasMessage("message of 67108865 bytes is above the limit of 67108864 bytes");
            transport.write(EchoServer.buffer(new byte[] {'b'}));
            assertThat(client.readData().text()).isEqualTo("b");
        }
    }

    @Test
    void smallMessagesOfABatchStayOneFrameEach() throws IOException, InterruptedException {
        try (RawClient client = RawClient.upgraded(server.port())) {
            Transport transport = server.nextTransport();
            List<MessageBuffer> batch = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                batch.add(EchoServer.buffer(filled(i * 7)));
            }
            transport.write(batch, 299);
            for (int i = 0; i < 299; i++) {
                RawClient.Frame frame = client.readData();
                assertThat(frame.fin()).isTrue();
                assertThat(frame.payload()).isEqualTo(filled(i * 7));
            }
        }
    }

    private static byte[] filled(int size) {
        byte[] payload = new byte[size];
        for (int i = 0; i < size; i++) {
            payload[i] = (byte) ('a' + i % 23);
        }
        return payload;
    }
}
