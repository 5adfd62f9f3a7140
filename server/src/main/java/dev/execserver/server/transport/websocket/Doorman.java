package dev.execserver.server.transport.websocket;

import dev.execserver.server.memory.DescriptorRoom;
import io.helidon.common.socket.SocketOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sees every connection when it is accepted, before Helidon does: sets socket options, keeps the channel, and drops
 * whoever does not come up with a whole request in time.
 *
 * <p>Helidon has no read timeout for requests and never shows the channel, but lets the listener's socket options look at
 * each accepted channel; that is the hook used here. Channels are found again by the peer's address, which is unique
 * among open connections.
 *
 * <p>Threads: the accepting thread ({@link #configureSocket}), connection threads, the timer ({@link #tick}). No locks.
 */
final class Doorman implements SocketOptions {
    /** Connections that have not upgraded, beyond the limit for those that have; fewer where descriptors are scarce. */
    private static final int STRANGERS = 512;

    private final Map<SocketAddress, Stranger> strangers = new ConcurrentHashMap<>();
    private final AtomicInteger upgraded = new AtomicInteger();
    private final int maxConnections;
    private final int maxStrangers;
    private final long timeoutNanos;
    private final DescriptorRoom descriptors;

    Doorman(WebSocketOptions.Room room, Duration timeout) {
        this.maxConnections = room.maxConnections();
        this.descriptors = room.descriptors();
        this.maxStrangers = descriptors.forStrangers(STRANGERS);
        this.timeoutNanos = timeout.toNanos();
    }

    private record Stranger(SocketChannel channel, long deadlineNanos) {}

    /** Called by Helidon for each accepted channel; an exception makes Helidon close it and go on accepting. */
    @Override
    public void configureSocket(SocketChannel channel) {
        if (strangers.size() >= maxStrangers) {
            makeRoom();
        }
        if (!descriptors.acceptsConnection()) {
            throw new IllegalStateException("no descriptor is left for a connection");
        }
        try {
            // a small answer must not wait for the acknowledgement of the one before (RFC 896)
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            strangers.put(channel.getRemoteAddress(), new Stranger(channel, deadline()));
        } catch (IOException e) {
            throw new IllegalStateException("connection is gone already", e);
        }
    }

    /** A whole request came: the peer has the full time again for its next one. */
    void requestFrom(SocketAddress peer) {
        strangers.computeIfPresent(peer, (key, known) -> new Stranger(known.channel(), deadline()));
    }

    /** The peer waits for us, and may be silent for so long. */
    void allow(SocketAddress peer, Duration time) {
        long until = System.nanoTime() + time.toNanos();
        strangers.computeIfPresent(peer, (key, known) -> new Stranger(known.channel(), until));
    }

    /** Nothing more will be sent to the peer, which sees the end at once and is dropped when it has not gone in time. */
    void farewell(SocketAddress peer, Duration time) {
        allow(peer, time);
        Stranger known = strangers.get(peer);
        if (known != null) {
            try {
                known.channel().shutdownOutput();
            } catch (IOException e) {
                Sockets.drop(known.channel(), false); // it is gone already
            }
        }
    }

    /** The peer becomes a WebSocket connection: hands out its channel, empty when it was just dropped or is one too many. */
    Optional<SocketChannel> upgrade(SocketAddress peer) {
        if (upgraded.incrementAndGet() > maxConnections) {
            upgraded.decrementAndGet();
            return Optional.empty();
        }
        Stranger known = strangers.remove(peer);
        if (known == null) {
            upgraded.decrementAndGet();
            return Optional.empty();
        }
        return Optional.of(known.channel());
    }

    /** An upgraded connection ended: its socket must be closed soon, even if TLS waits for the peer's goodbye. */
    void left(SocketAddress peer, SocketChannel channel, Duration grace) {
        upgraded.decrementAndGet();
        if (channel.isOpen()) {
            strangers.putIfAbsent(peer, new Stranger(channel, System.nanoTime() + grace.toNanos()));
        }
    }

    /** Drops who is late, forgets who is gone. */
    void tick(long now) {
        strangers.values().removeIf(stranger -> {
            if (stranger.channel().isOpen() && now - stranger.deadlineNanos() < 0) {
                return false;
            }
            Sockets.drop(stranger.channel(), false);
            return true;
        });
    }

    /** Whoever is silent for longest goes first, so that silent peers cannot keep others out. */
    private void makeRoom() {
        long now = System.nanoTime();
        tick(now);
        strangers.entrySet().stream()
                .min(Comparator.comparingLong(entry -> entry.getValue().deadlineNanos() - now))
                .filter(oldest -> strangers.size() >= maxStrangers)
                .ifPresent(oldest -> {
                    strangers.remove(oldest.getKey());
                    Sockets.drop(oldest.getValue().channel(), false);
                });
    }

    private long deadline() {
        return System.nanoTime() + timeoutNanos;
    }

    @Override
    public Map<SocketOption<?>, Object> socketOptions() {
        return Map.of();
    }

    @Override
    public Duration connectTimeout() {
        return Duration.ZERO;
    }

    @Override
    public Duration readTimeout() {
        return Duration.ZERO;
    }

    @Override
    public Optional<Integer> socketReceiveBufferSize() {
        return Optional.empty();
    }

    @Override
    public Optional<Integer> socketSendBufferSize() {
        return Optional.empty();
    }

    @Override
    public boolean socketReuseAddress() {
        return true;
    }

    @Override
    public boolean socketKeepAlive() {
        return true;
    }

    @Override
    public boolean tcpNoDelay() {
        return true;
    }
}
