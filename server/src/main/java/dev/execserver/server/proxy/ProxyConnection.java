package dev.execserver.server.proxy;

import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.proxy.http.ConnectionTimer;
import dev.execserver.server.proxy.http.PeerInput;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One connection of the process to its proxy, with its outgoing connections, its buffered input and its timer. Closing
 * it from any thread ends all its connections.
 */
final class ProxyConnection implements AutoCloseable {

    private final TcpConnection wire;
    private final ConnectionTimer watch;
    private final PeerInput source;
    private final Set<TcpConnection> outgoing = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    ProxyConnection(TcpConnection wire, Timers timers) {
        this.wire = wire;
        this.watch = new ConnectionTimer(timers, this::close);
        this.source = new PeerInput(wire.input(), watch);
    }

    TcpConnection wire() {
        return wire;
    }

    ConnectionTimer watch() {
        return watch;
    }

    /** The input from the process. */
    PeerInput source() {
        return source;
    }

    /** Adds an outgoing connection, which ends with the visit. */
    void opened(TcpConnection target) {
        outgoing.add(target);
        if (closed) {
            target.close();
        }
    }

    void finished(TcpConnection target) {
        outgoing.remove(target);
        target.close();
    }

    void answer(byte[] bytes) throws IOException {
        wire.output().write(bytes);
        wire.output().flush();
        watch.touch();
    }

    @Override
    public void close() {
        closed = true;
        watch.close();
        wire.close();
        outgoing.forEach(TcpConnection::close);
    }
}
