package dev.execserver.server.transport.websocket;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ReceivedMessage;
import dev.execserver.protocol.rpc.TraceContext;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.rights.Rights;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.Transport;
import dev.execserver.server.transport.auth.Admitted;
import dev.execserver.server.transport.auth.Subject;
import dev.execserver.server.transport.codec.ByteSource;
import dev.execserver.server.transport.codec.FrameLimits;
import dev.execserver.server.transport.codec.Inbound;
import dev.execserver.server.transport.codec.MessageAssembler;
import dev.execserver.server.transport.codec.WebSocketException;
import dev.execserver.server.transport.origin.ClientAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transport of a WebSocket peer after the upgrade.
 *
 * <p>Closing (RFC 6455 section 7.1): the first thread that closes queues the close frame and sets a drop time. The
 * reader then waits for the peer's close frame, and the timer drops the socket at the drop time. So {@link #close} does
 * not block, and reader and writers always return. Threads: the reader calls {@link #read} and {@link #finish}, writers
 * {@link #write}, the timer {@link #tick}, any thread {@link #close}. No lock of its own; {@link FrameOutput} has one.
 */
final class WebSocketTransport implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(WebSocketTransport.class);
    private static final long OPEN = 0;

    private final String name;
    private final ClientAddress address;
    private final Admitted admitted;
    private final Optional<TraceContext> trace;
    private final Duration greetingLimit;
    private final UpgradedConnection wire;
    private final FrameOutput output;
    private final MessageAssembler input;
    private final long pingNanos;
    private final long deadNanos;
    private final long closeNanos;

    private volatile long lastInboundNanos = System.nanoTime();
    private long nextPingNanos;
    /** {@link #OPEN}, or the time at which the socket is dropped if the close handshake has not ended. */
    private final AtomicLong dropAtNanos = new AtomicLong(OPEN);
    /** True if nothing more comes from the peer. Used by the reader only. */
    private boolean inputEnded;

    /**
     * The peer.
     *
     * @param address for logs
     * @param admitted the owner of its credential, and what it may do
     * @param trace where it stood in its trace
     */
    record Peer(ClientAddress address, Admitted admitted, Optional<TraceContext> trace) {}

    WebSocketTransport(
            Peer peer,
            UpgradedConnection wire,
            WebSocketOptions.Times times,
            MemoryBudget received,
            Executor executor) {
        this.name = "websocket " + peer.address().text();
        this.address = peer.address();
        this.admitted = peer.admitted();
        this.trace = peer.trace();
        this.greetingLimit = times.request();
        this.wire = wire;
        this.output = new FrameOutput(wire, executor);
        this.input = new MessageAssembler(noting(wire), FrameLimits.DEFAULT, received);
        this.pingNanos = times.pingEvery().toNanos();
        this.deadNanos = times.deadAfter().toNanos();
        this.closeNanos = times.close().toNanos();
        this.nextPingNanos = lastInboundNanos + pingNanos;
    }

    @Override
    public String describe() {
        return name;
    }

    @Override
    public Optional<String> kind() {
        return Optional.of("websocket");
    }

    @Override
    public Optional<String> address() {
        return Optional.of(address.text());
    }

    @Override
    public Optional<String> proxy() {
        return address.proxy();
    }

    @Override
    public Optional<Subject> subject() {
        return admitted.subject();
    }

    @Override
    public Rights rights() {
        return admitted.rights();
    }

    @Override
    public Optional<TraceContext> trace() {
        return trace;
    }

    @Override
    public Optional<Duration> greetingLimit() {
        return Optional.of(greetingLimit);
    }

    @Override
    public Optional<ReceivedMessage> read() {
        try {
            while (!inputEnded) {
                switch (input.next()) {
                    case Inbound.Message message
                    when open() -> {
                        return Optional.of(message.payload());
                    }
                    case Inbound.Message ignored -> LOG.trace("{}: message after close", name);
                    case Inbound.Ping ping -> output.pong(ping.payload());
                    case Inbound.Pong ignored -> LOG.trace("{}: pong", name);
                    case Inbound.Close close -> peerCloses(close.reason());
                }
            }
        } catch (WebSocketException e) {
            LOG.info("{}: closing, {}", name, e.reason());
            input.discard();
            close(e.reason());
            skipToClose();
        } catch (IOException e) {
            inputEnded(e);
        }
        return Optional.empty();
    }

    @Override
    public void write(List<MessageBuffer> batch, int count) throws IOException {
        output.write(batch, count);
    }

    @Override
    public void close(CloseReason reason) {
        if (beginClosing()) {
            output.close(Optional.of(reason));
        }
    }

    @Override
    public long lastInboundNanos() {
        return lastInboundNanos;
    }

    @Override
    public long lastOutboundNanos() {
        return output.lastProgressNanos();
    }

    @Override
    public void probe() {
        output.ping();
    }

    @Override
    public long lastSignOfLifeNanos() {
        return Math.max(lastInboundNanos, output.lastProgressWhileHeldUpNanos());
    }

    @Override
    public OptionalLong unacknowledgedBytes() {
        return wire.unacknowledgedBytes();
    }

    /** Ends the connection properly, within the close timeout. The reader calls it when nobody needs more messages. */
    void finish(CloseReason reason) {
        close(reason);
        while (!inputEnded) {
            read();
        }
        input.discard();
        if (!output.awaitQuiet(dropAtNanos.get())) {
            wire.abort(false);
        }
        output.end();
    }

    /** Drops the connection at once. */
    void abort() {
        beginClosing();
        output.end();
        wire.abort(false);
    }

    /** Does the work that is due. Called by the timer, never blocks. */
    void tick(long now) {
        long dropAt = dropAtNanos.get();
        if (dropAt != OPEN) {
            if (now - dropAt >= 0) {
                wire.abort(false);
            }
        } else if (now - lastInboundNanos > deadNanos && !output.heldUpButMoving(now - deadNanos)) {
            LOG.info(
                    "{}: dropped, nothing came for {} s",
                    name,
                    Duration.ofNanos(now - lastInboundNanos).toSeconds());
            beginClosing();
            output.end();
            wire.abort(true);
        } else if (now - nextPingNanos >= 0) {
            nextPingNanos = now + pingNanos;
            output.ping();
        }
    }

    private boolean open() {
        return dropAtNanos.get() == OPEN;
    }

    private boolean beginClosing() {
        long dropAt = System.nanoTime() + closeNanos;
        return dropAtNanos.compareAndSet(OPEN, dropAt == OPEN ? 1 : dropAt);
    }

    private void peerCloses(Optional<CloseReason> reason) {
        inputEnded = true;
        if (beginClosing()) {
            LOG.debug("{}: closed by peer, {}", name, reason);
            output.close(reason.map(given -> given.because("")));
        }
    }

    /**
     * Discards input up to the close frame, so that the peer is not reset before it has seen the reason, and may
     * answer.
     */
    private void skipToClose() {
        try {
            input.skipToClose();
            inputEnded = true;
        } catch (IOException e) {
            inputEnded(e);
        }
    }

    private void inputEnded(IOException cause) {
        LOG.debug("{}: ended, {}", name, cause.toString());
        inputEnded = true;
        beginClosing();
        output.end();
        wire.abort(false);
    }

    private ByteSource noting(ByteSource source) {
        return (into, offset, length) -> {
            int count = source.read(into, offset, length);
            lastInboundNanos = System.nanoTime();
            return count;
        };
    }
}
