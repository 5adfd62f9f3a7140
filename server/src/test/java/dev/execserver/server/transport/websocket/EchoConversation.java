package dev.execserver.server.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Echo server and a raw client for each test. */
abstract class EchoConversation {
    private static WebSocketServer server;
    RawClient client;

    @BeforeAll
    static void start() {
        server = EchoServer.start(WebSocketOptions.DEFAULT);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() throws Exception {
        client = RawClient.upgraded(server.port());
    }

    @AfterEach
    void disconnect() throws Exception {
        client.close();
    }

    final void expectClose(int code) throws IOException {
        RawClient.Frame frame = client.readData();
        assertThat(frame.opcode()).isEqualTo(RawClient.CLOSE);
        assertThat(frame.closeCode()).isEqualTo(code);
        client.close(code, "");
        assertThat(client.ended()).isTrue();
    }

    final void expectText(String text) throws IOException {
        RawClient.Frame frame = client.readData();
        assertThat(frame.opcode()).isEqualTo(RawClient.TEXT);
        assertThat(frame.text()).isEqualTo(text);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
