package dev.execserver.server.exec.wrapper;

import dev.execserver.sandbox.io.Poller;
import dev.execserver.server.concurrent.FileWorkers;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Everything that the sockets of all commands share. Any thread; the set has the open sockets, the counter is atomic. */
public final class WrapperServices implements AutoCloseable {
    /** Bytes of requests that are being read or decided, of all commands. */
    private static final long MAX_OPEN_BYTES = 64L * 1024 * 1024;

    private final Poller poller;
    private final FileWorkers files;
    private final Set<EscalationSocket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong openBytes = new AtomicLong();
    private volatile boolean closed;

    /** @param files workers that look at programs and start them */
    public WrapperServices(Poller poller, FileWorkers files) {
        this.poller = poller;
        this.files = files;
    }

    Poller poller() {
        return poller;
    }

    FileWorkers files() {
        return files;
    }

    /** Returns false if there is no memory for so many bytes now. */
    boolean reserve(int bytes) {
        if (openBytes.addAndGet(bytes) <= MAX_OPEN_BYTES) {
            return true;
        }
        openBytes.addAndGet(-bytes);
        return false;
    }

    void release(int bytes) {
        openBytes.addAndGet(-bytes);
    }

    void opened(EscalationSocket socket) {
        open.add(socket);
        if (closed) {
            socket.close();
        }
    }

    void ended(EscalationSocket socket) {
        open.remove(socket);
    }

    @Override
    public void close() {
        closed = true;
        open.forEach(EscalationSocket::close);
    }
}
