package dev.execserver.client.transport;

import dev.execserver.protocol.rpc.MessageBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Transport over a WebSocket after the upgrade. The receiving thread never writes: a thread of its own writes pongs, so
 * that a server that does not read cannot stop this client from reading.
 */
final class WebSocketTransport implements ClientTransport {

    private static final byte[] NORMAL_CLOSURE = {0x03, (byte) 0xE8};

    private final Closeable socket;
    private final FrameWriter writer;
    private final FrameReader reader;
    /**
     * Payload of the latest ping; null if it was answered. One pong for the latest is enough (RFC 6455 section 5.5.3).
     */
    private final AtomicReference<byte[]> owedPong = new AtomicReference<>();

    private volatile long lastInboundNanos = System.nanoTime();
    private volatile String closeReason;

    /** @param in the socket's input after the upgrade, buffered */
    WebSocketTransport(Closeable socket, InputStream in, OutputStream out) {
        this.socket = socket;
        this.writer = new FrameWriter(out);
        this.reader = new FrameReader(new Watched(in), new Controls());
    }

    @Override
    public Optional<byte[]> receive() throws IOException {
        return Optional.ofNullable(reader.next());
    }

    @Override
    public void send(MessageBuffer message) throws IOException {
        writer.message(message);
    }

    @Override
    public void ping() throws IOException {
        writer.control(FrameWriter.PING, new byte[0]);
    }

    @Override
    public long idleNanos() {
        return System.nanoTime() - lastInboundNanos;
    }

    @Override
    public Optional<String> closeReason() {
        return Optional.ofNullable(closeReason);
    }

    @Override
    public void close() {
        // The close frame is optional and may block behind a stuck writer. The socket is closed in any case.
        Thread courtesy = ClientThreads.virtual("exec-client-close", () -> quietly(FrameWriter.CLOSE, NORMAL_CLOSURE));
        try {
            courtesy.join(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeSocket();
    }

    private void closeSocket() {
        try {
            socket.close();
        } catch (IOException e) {
            System.getLogger(WebSocketTransport.class.getName()).log(System.Logger.Level.DEBUG, "close", e);
        }
    }

    private void quietly(int opcode, byte[] payload) {
        try {
            writer.control(opcode, payload);
        } catch (IOException e) {
            System.getLogger(WebSocketTransport.class.getName()).log(System.Logger.Level.DEBUG, "control frame", e);
        }
    }

    /** Answers pings until none is left. Runs on one thread at a time. */
    private void answerPings() {
        byte[] payload = owedPong.get();
        while (payload != null) {
            quietly(FrameWriter.PONG, payload);
            payload = owedPong.compareAndSet(payload, null) ? null : owedPong.get();
        }
    }

    private final class Controls implements FrameReader.Controls {
        @Override
        public void ping(byte[] payload) {
            if (owedPong.getAndSet(payload) == null) {
                ClientThreads.virtual("exec-client-pong", WebSocketTransport.this::answerPings);
            }
        }

        @Override
        public void closed(String reason) {
            closeReason = reason;
        }
    }

    /** Records the time of each read, so that a large message on a slow line is a sign of life too. */
    private final class Watched extends InputStream {
        private final InputStream in;

        Watched(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            int octet = in.read();
            lastInboundNanos = System.nanoTime();
            return octet;
        }

        @Override
        public int read(byte[] array, int offset, int length) throws IOException {
            int count = in.read(array, offset, length);
            lastInboundNanos = System.nanoTime();
            return count;
        }
    }
}
