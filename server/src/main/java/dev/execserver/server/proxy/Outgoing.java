package dev.execserver.server.proxy;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.proxy.http.ConnectionTimer;
import dev.execserver.server.proxy.http.PeerInput;
import dev.execserver.server.proxy.http.ResponseHead;
import dev.execserver.server.proxy.http.UpstreamException;
import dev.execserver.server.proxy.rules.ProxyBounds;
import dev.execserver.server.proxy.rules.ProxyDestination;
import dev.execserver.server.proxy.rules.ProxyPolicy;
import dev.execserver.server.proxy.rules.Resolver;
import dev.execserver.server.proxy.rules.UpstreamProxies;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Opens the connections to permitted targets: to the checked addresses, or through the server's own proxy. Any number
 * of threads; no state.
 */
final class Outgoing {

    private final ProxyPolicy policy;
    private final Resolver names;
    private final ProxyBounds bounds;
    private final ProxySockets sockets;

    Outgoing(ProxyPolicy policy, Resolver names, ProxyBounds bounds, ProxySockets sockets) {
        this.sockets = sockets;
        this.policy = policy;
        this.names = names;
        this.bounds = bounds;
    }

    /** Receives each opened connection, so that the thread that ends the exchange ends the connection too. */
    interface Sink {
        void opened(TcpConnection wire);
    }

    /** Returns the proxy for plain HTTP requests to a target. */
    Optional<UpstreamProxies.Upstream> proxyFor(ProxyDestination target) throws UpstreamException {
        try {
            return policy.upstream(target.protocol(), target.host(), target.port());
        } catch (RpcException e) {
            throw new UpstreamException(e.message(), e);
        }
    }

    /** Connects to the proxy itself. */
    TcpConnection toProxy(UpstreamProxies.Upstream proxy, Sink sink) throws IOException, InterruptedException {
        try {
            return connect(names.lookUp(proxy.host()), proxy.port(), sink);
        } catch (IOException e) {
            throw new UpstreamException("the proxy of the server's environment cannot be reached", e);
        }
    }

    /**
     * Opens a connection whose bytes go to the target.
     *
     * @throws UpstreamException if no address accepts
     */
    TcpConnection tunnel(ProxyDestination target, List<InetAddress> addresses, ConnectionTimer watch, Sink sink)
            throws IOException, InterruptedException {
        Optional<UpstreamProxies.Upstream> proxy = proxyFor(target);
        return proxy.isPresent()
                ? tunnelThrough(proxy.get(), target, watch, sink)
                : connect(addresses, target.port(), sink);
    }

    private TcpConnection tunnelThrough(
            UpstreamProxies.Upstream proxy, ProxyDestination target, ConnectionTimer watch, Sink sink)
            throws IOException, InterruptedException {
        TcpConnection wire = toProxy(proxy, sink);
        StringBuilder head = new StringBuilder(
                "CONNECT " + target.authority() + " HTTP/1.1\r\nHost: " + target.authority() + "\r\n");
        proxy.authorization()
                .ifPresent(value ->
                        head.append("Proxy-Authorization: ").append(value).append("\r\n"));
        OutputStream out = wire.output();
        out.write(PeerInput.bytes(head.append("\r\n").toString()));
        // Reads one byte at a time, because the bytes behind the head belong to the tunnel.
        ResponseHead answer =
                ResponseHead.read(new PeerInput(new SingleBytes(wire.input()), watch), bounds.headBytes());
        if (answer.status() / 100 != 2) {
            throw new UpstreamException("the proxy of the server's environment answers " + answer.status());
        }
        return wire;
    }

    private TcpConnection connect(List<InetAddress> addresses, int port, Sink sink) throws IOException {
        long deadline = System.nanoTime() + bounds.connectAll().toNanos();
        IOException failure = new UpstreamException("the host has no address");
        for (InetAddress address : addresses) {
            long left = Math.min(deadline - System.nanoTime(), bounds.connect().toNanos());
            if (left <= 0) {
                break;
            }
            try {
                TcpConnection wire = sockets.connect(new InetSocketAddress(address, port), Duration.ofNanos(left));
                sink.opened(wire);
                return wire;
            } catch (IOException e) {
                failure = new UpstreamException("no connection: " + e.getMessage(), e);
            }
        }
        throw failure;
    }
}
