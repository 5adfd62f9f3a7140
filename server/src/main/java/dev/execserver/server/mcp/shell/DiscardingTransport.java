package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ReceivedMessage;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.Transport;
import java.util.List;
import java.util.Optional;

/** Transport of a client that reads output itself and gets no events pushed. Stateless. */
final class DiscardingTransport implements Transport {
    @Override
    public String describe() {
        return "mcp";
    }

    @Override
    public Optional<ReceivedMessage> read() {
        return Optional.empty();
    }

    @Override
    public void write(List<MessageBuffer> batch, int count) {
        // there is nobody who would read it
    }

    @Override
    public void close(CloseReason reason) {
        // nothing is open
    }

    @Override
    public long lastInboundNanos() {
        return System.nanoTime();
    }
}
