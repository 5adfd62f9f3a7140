package dev.execserver.server.proxy;

import dev.execserver.server.concurrent.Timers;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One connection of the process to its proxy, with its outgoing connections, its buffered input and its timer. Closing
 * it from any thread ends all its connections.
 */
final class Visit implements AutoCloseable {

    private final Wire wire;
    private final Watch watch;
    private final ByteSource source;
    private final Set<Wire> outgoing = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Visit(Wire wire, Timers timers) {
        this.wire = wire;
        this.watch = new Watch(timers, this::close);
        this.source = new ByteSource(wire.input(), watch);
    }

    Wire wire() {
        return wire;
    }

    Watch watch() {
        return watch;
    }

    /** The input from the process. */
    ByteSource source() {
        return source;
    }

    /** Adds an outgoing connection, which ends with the visit. */
    void opened(Wire target) {
        outgoing.add(target);
        if (closed) {
            target.close();
        }
    }

    void finished(Wire target) {
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
        outgoing.forEach(Wire::close);
    }
}
