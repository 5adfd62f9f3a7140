package dev.execserver.server.transport.websocket;

import dev.execserver.protocol.rpc.ReceivedMessage;
import dev.execserver.server.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Server that gives tests its end of each connection and the messages that arrive there. */
final class PeerServer implements AutoCloseable {
    private final BlockingQueue<Transport> transports = new LinkedBlockingQueue<>();
    private final BlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
    private final BlockingQueue<Transport> ended = new LinkedBlockingQueue<>();
    private WebSocketServer server;

    private PeerServer() {}

    static PeerServer start(WebSocketOptions options) throws IOException {
        PeerServer peer = new PeerServer();
        peer.server = WebSocketServer.start("127.0.0.1", 0, options, peer::serve);
        return peer;
    }

    private void serve(Transport transport) {
        transports.add(transport);
        try {
            Optional<ReceivedMessage> message = transport.read();
            while (message.isPresent()) {
                messages.add(message.get().bytes());
                message = transport.read();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            ended.add(transport);
        }
    }

    static void write(Transport transport, byte[] payload) {
        try {
            transport.write(EchoServer.buffer(payload));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes without end until the transport refuses; the latch opens then. */
    static CountDownLatch flood(Transport transport) {
        CountDownLatch stopped = new CountDownLatch(1);
        Thread.startVirtualThread(() -> {
            byte[] payload = new byte[1024 * 1024];
            try {
                while (true) {
                    write(transport, payload);
                }
            } catch (UncheckedIOException e) {
                stopped.countDown();
            }
        });
        return stopped;
    }

    WebSocketServer server() {
        return server;
    }

    int port() {
        return server.port();
    }

    Transport nextTransport() {
        return next(transports);
    }

    byte[] nextMessage() {
        return next(messages);
    }

    Transport nextEnded() {
        return next(ended);
    }

    private static <T> T next(BlockingQueue<T> queue) {
        try {
            T value = queue.poll(20, TimeUnit.SECONDS);
            if (value == null) {
                throw new IllegalStateException(new TimeoutException("nothing came"));
            }
            return value;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
