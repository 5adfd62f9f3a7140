package dev.execserver.server.transport.websocket;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ReceivedMessage;
import dev.execserver.server.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** Server that answers each message with itself. */
final class EchoServer {
    private EchoServer() {}

    static WebSocketServer start(WebSocketOptions options) {
        try {
            return WebSocketServer.start("127.0.0.1", 0, options, EchoServer::serve);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void serve(Transport transport) {
        try {
            Optional<ReceivedMessage> message = transport.read();
            while (message.isPresent()) {
                transport.write(buffer(message.get().bytes()));
                message = transport.read();
            }
        } catch (IOException e) {
            // the peer is gone
        }
    }

    static MessageBuffer buffer(byte[] payload) {
        MessageBuffer buffer = new MessageBuffer();
        buffer.write(payload, 0, payload.length);
        return buffer;
    }
}
