package dev.execserver.server.transport.websocket;

import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.transport.auth.LocalPeer;
import dev.execserver.server.transport.auth.SlowedLogins;
import io.helidon.common.socket.SocketOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits connections from the moment when they are accepted, before Helidon sees them. It sets socket options, keeps
 * the channel, and drops peers that do not send a whole request in time.
 *
 * <p>Helidon has no read timeout for requests and never shows the channel. But it gives each accepted channel to the
 * listener's socket options, which this class implements. Channels are found by the peer's address, which is unique
 * among open connections; a peer on a Unix socket gets one here. Threads: the accepting thread ({@link #configureSocket}), connection threads, the timer
 * ({@link #tick}). No locks.
 */
final class PendingConnections implements SocketOptions {
    /**
     * Limit of connections that have not upgraded, in addition to the upgraded ones; less if descriptors are scarce.
     */
    private static final int STRANGERS = 512;

    /** Peers on Unix sockets count as one address. */
    private static final Object UNIX = "unix";

    /** Time to send a refusal. */
    private static final Duration REFUSAL = Duration.ofSeconds(1);

    private final Map<SocketAddress, Stranger> strangers = new ConcurrentHashMap<>();
    private final AtomicInteger upgraded;
    private final int maxConnections;
    private final int maxStrangers;
    private final long timeoutNanos;
    private final DescriptorBudget descriptors;

    PendingConnections(WebSocketOptions.Room room, Duration timeout) {
        this.maxConnections = room.maxConnections();
        this.upgraded = room.upgraded();
        this.descriptors = room.descriptors();
        this.maxStrangers = descriptors.forStrangers(STRANGERS);
        this.timeoutNanos = timeout.toNanos();
    }

    /** @param served true while the server works for an admitted request of the peer */
    private record Stranger(SocketChannel channel, long deadlineNanos, boolean served) {}

    /** Prepares an accepted channel. If it throws, Helidon closes the channel and goes on accepting. */
    @Override
    public void configureSocket(SocketChannel channel) {
        if (strangers.size() >= maxStrangers) {
            makeRoom();
        }
        if (!descriptors.acceptsConnection()) {
            throw new IllegalStateException("no descriptor is left for a connection");
        }
        try {
            strangers.put(peer(channel), new Stranger(channel, deadline(), false));
        } catch (IOException e) {
            throw new IllegalStateException("connection is gone already", e);
        }
    }

    private SocketAddress peer(SocketChannel channel) throws IOException {
        if (channel.getLocalAddress() instanceof UnixDomainSocketAddress) {
            LocalPeer peer = UnixPeers.of(channel);
            if (local(peer.channel()).isPresent()) {
                throw new IllegalStateException("two connections have the same name");
            }
            return peer;
        }
        // a small answer must not wait until the previous one was acknowledged (RFC 896)
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        return channel.getRemoteAddress();
    }

    /** Returns the peer on a Unix socket whose connection has that name in Helidon. */
    Optional<LocalPeer> local(String channel) {
        return strangers.keySet().stream()
                .filter(LocalPeer.class::isInstance)
                .map(LocalPeer.class::cast)
                .filter(peer -> peer.channel().equals(channel))
                .findFirst();
    }

    /** Restarts the timeout of the peer, because a whole request came. */
    void requestFrom(SocketAddress peer) {
        strangers.computeIfPresent(peer, (key, known) -> new Stranger(known.channel(), deadline(), false));
    }

    /** Restarts the timeout of the peer, whose request goes on. */
    void progress(SocketAddress peer) {
        strangers.computeIfPresent(peer, (key, known) -> new Stranger(known.channel(), deadline(), known.served()));
    }

    /** Lets the peer be silent for this time, because it was admitted and waits for the server. */
    void allow(SocketAddress peer, Duration time) {
        wait(peer, time, true);
    }

    private void wait(SocketAddress peer, Duration time, boolean served) {
        long until = System.nanoTime() + time.toNanos();
        strangers.computeIfPresent(peer, (key, known) -> new Stranger(known.channel(), until, served));
    }

    /**
     * Notes that the peer will be refused after a wait. It is the first to go when room is needed: those who guess
     * credentials must not take the places of those who have not been asked yet.
     */
    void refusedSoon(SocketAddress peer, Duration wait) {
        wait(peer, wait.plus(REFUSAL), false);
    }

    /** Ends the output to the peer, which sees that at once, and drops the peer if it has not gone within this time. */
    void farewell(SocketAddress peer, Duration time) {
        wait(peer, time, false);
        Stranger known = strangers.get(peer);
        if (known != null) {
            try {
                known.channel().shutdownOutput();
            } catch (IOException e) {
                SocketHelpers.drop(known.channel(), false); // it is already gone
            }
        }
    }

    /**
     * Makes the peer a WebSocket connection and returns its channel. Empty if the peer was just dropped or exceeds the
     * limit.
     */
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

    /**
     * Plans the drop of the socket of an ended connection: it must be closed soon, even if TLS waits for the peer's
     * closing message.
     */
    void left(SocketAddress peer, SocketChannel channel, Duration grace) {
        upgraded.decrementAndGet();
        if (channel.isOpen()) {
            strangers.putIfAbsent(peer, new Stranger(channel, System.nanoTime() + grace.toNanos(), false));
        }
    }

    /** Drops peers whose time is over, and forgets those that are gone. */
    void tick(long now) {
        strangers.values().removeIf(stranger -> {
            if (stranger.channel().isOpen() && now - stranger.deadlineNanos() < 0) {
                return false;
            }
            SocketHelpers.drop(stranger.channel(), false);
            return true;
        });
    }

    /**
     * Drops a peer of the address that has the most: the one that has been silent for the longest time. So neither silent
     * peers nor a crowd of one address can keep others out. A peer whose request the server works for is dropped only if
     * all are such.
     */
    private void makeRoom() {
        long now = System.nanoTime();
        tick(now);
        if (strangers.size() < maxStrangers) {
            return;
        }
        Map<Object, Integer> crowds = new HashMap<>();
        boolean idle = strangers.values().stream().anyMatch(stranger -> !stranger.served());
        List<Map.Entry<SocketAddress, Stranger>> candidates = strangers.entrySet().stream()
                .filter(entry -> !idle || !entry.getValue().served())
                .toList();
        candidates.forEach(entry -> crowds.merge(origin(entry.getKey()), 1, Integer::sum));
        candidates.stream()
                .max(Comparator.<Map.Entry<SocketAddress, Stranger>>comparingInt(
                                entry -> crowds.getOrDefault(origin(entry.getKey()), 0))
                        .thenComparingLong(entry -> now - entry.getValue().deadlineNanos()))
                .ifPresent(longest -> {
                    strangers.remove(longest.getKey());
                    SocketHelpers.drop(longest.getValue().channel(), false);
                });
    }

    private static Object origin(SocketAddress peer) {
        return peer instanceof InetSocketAddress internet ? SlowedLogins.network(internet.getAddress()) : UNIX;
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
