package dev.execserver.client.testing;

import dev.execserver.client.transport.ClientTransport;
import dev.execserver.protocol.rpc.EnvelopeDecoder;
import dev.execserver.protocol.rpc.JsonRpcMessage;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.MessageBuffer;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** Connection in memory. The sender's thread handles a sent message at once. */
public final class FakeTransport implements ClientTransport {

    private static final byte[] CUT = new byte[0];

    private final LinkedBlockingQueue<byte[]> inbound = new LinkedBlockingQueue<>();
    private final Consumer<JsonRpcMessage> server;
    private volatile boolean cut;
    private volatile String closeReason;

    FakeTransport(Consumer<JsonRpcMessage> server) {
        this.server = server;
    }

    /** Sends a message from the server to the client; it is lost if the connection is cut. */
    public void deliver(MessageBuffer message) {
        if (!cut) {
            inbound.add(message.toByteArray());
        }
    }

    /** Cuts the connection. Messages that were delivered before still arrive. */
    void cut(String reason) {
        closeReason = reason;
        cut = true;
        inbound.add(CUT);
    }

    @Override
    public Optional<byte[]> receive() throws IOException {
        try {
            byte[] message = inbound.take();
            if (message == CUT) {
                throw new IOException("cut");
            }
            return Optional.of(message);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void send(MessageBuffer message) throws IOException {
        if (cut) {
            throw new IOException("cut");
        }
        try {
            server.accept(EnvelopeDecoder.decode(message.array(), message.offset(), message.length()));
        } catch (MalformedMessageException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Optional<String> closeReason() {
        return Optional.ofNullable(closeReason);
    }

    @Override
    public void close() {
        cut = true;
        inbound.add(CUT);
    }
}
