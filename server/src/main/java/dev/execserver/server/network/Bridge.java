package dev.execserver.server.network;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.TcpCalls;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.DescriptorBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The host's end of one sandboxed command's network. Accepts the connections that the command opens to its proxies and
 * hands each to the handler of its listening socket. Lives as long as the command: {@link #close} accepts the
 * connections that are still queued, gives them {@link #LINGER} to deliver their data, and ends the rest.
 *
 * <p>One virtual thread for each listening socket accepts, one for each connection serves. The lock guards the set of
 * open connections and the phase, never I/O.
 */
public final class Bridge implements AutoCloseable {
    /**
     * Largest number of connections at once; fewer if the server may open few descriptors. Further ones wait in the
     * queue of the listening socket.
     */
    public static final int MAX_CONNECTIONS = 1024;

    /** Time after the command's end in which data that it has sent is still delivered. */
    static final Duration LINGER = Duration.ofSeconds(2);

    private static final Duration OUT_OF_DESCRIPTORS = Duration.ofMillis(100);
    private static final Logger LOG = LoggerFactory.getLogger(Bridge.class);

    private final Poller poller;
    private final DescriptorBudget descriptors;
    private final int maxConnections;
    private final List<BridgeListener> doors;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<BridgedConnection> open = new HashSet<>();
    private int accepting;
    private boolean ending;
    private boolean ended;

    /**
     * One listening socket in the sandbox.
     *
     * @param listener non-blocking; the bridge closes it
     */
    public record BridgeListener(AsyncFd listener, BridgeHandler handler) {}

    private Bridge(List<BridgeListener> doors, Poller poller, DescriptorBudget descriptors) {
        this.doors = List.copyOf(doors);
        this.poller = poller;
        this.descriptors = descriptors;
        this.maxConnections = descriptors.forCommand(MAX_CONNECTIONS);
        this.accepting = doors.size();
    }

    /** Takes over the listening sockets and begins to accept. */
    public static Bridge open(List<BridgeListener> doors, Poller poller, DescriptorBudget descriptors) {
        Bridge bridge = new Bridge(doors, poller, descriptors);
        bridge.doors.forEach(door -> Threads.virtual("bridge-accept", () -> bridge.accept(door)));
        return bridge;
    }

    private void accept(BridgeListener door) {
        try (AsyncFd listener = door.listener()) {
            while (awaitRoom()) {
                Optional<Fd> accepted = tryAccept(listener);
                if (accepted.isPresent()) {
                    admit(new BridgedConnection(AsyncFd.pipe(poller, accepted.get())), door.handler());
                } else if (ask(() -> ending)) {
                    return;
                } else {
                    listener.awaitReadable();
                }
            }
        } catch (ClosedException e) {
            // The server ends.
        } finally {
            change(() -> accepting--);
        }
    }

    /**
     * Accepts a connection. Without a free descriptor the connection stays queued and the socket readable, so it pauses
     * before it tries again.
     */
    private static Optional<Fd> tryAccept(AsyncFd listener) {
        for (boolean told = false; ; told = true) {
            try {
                return listener.use(TcpCalls::accept);
            } catch (LinuxException e) {
                if (!told) {
                    LOG.warn("connections of a sandboxed command wait: {}", e.getMessage());
                }
                LockSupport.parkNanos(OUT_OF_DESCRIPTORS.toNanos());
            }
        }
    }

    private void admit(BridgedConnection connection, BridgeHandler handler) {
        if (descriptors.awaitForCommand(() -> ask(() -> ended))) {
            serve(connection, handler);
        } else {
            connection.close();
        }
    }

    private void serve(BridgedConnection connection, BridgeHandler handler) {
        change(() -> open.add(connection));
        Threads.virtual("bridge", () -> {
            try (connection) {
                handler.serve(connection);
            } catch (IOException | ClosedException | LinuxException e) {
                LOG.debug("a connection of a sandboxed command ended: {}", e.getMessage());
            } finally {
                change(() -> open.remove(connection));
            }
        });
    }

    /** Waits until another connection may be open. Returns false if the bridge has ended. */
    private boolean awaitRoom() {
        lock.lock();
        try {
            while (!ended && open.size() >= maxConnections) {
                changed.awaitUninterruptibly();
            }
            return !ended;
        } finally {
            lock.unlock();
        }
    }

    private boolean ask(BooleanSupplier question) {
        lock.lock();
        try {
            return question.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The number of open connections. */
    int connections() {
        lock.lock();
        try {
            return open.size();
        } finally {
            lock.unlock();
        }
    }

    /** Called when the command is gone. Does not wait; open connections have {@link #LINGER} left. */
    @Override
    public void close() {
        change(() -> ending = true);
        doors.forEach(door -> door.listener().wake());
        Threads.virtual("bridge-end", this::end);
    }

    /** Closes the bridge like {@link #close}, and waits for open connections. */
    public void finish() {
        change(() -> ending = true);
        doors.forEach(door -> door.listener().wake());
        end();
    }

    private void end() {
        List<BridgedConnection> left;
        lock.lock();
        try {
            long nanos = LINGER.toNanos();
            while (nanos > 0 && (accepting > 0 || !open.isEmpty())) {
                nanos = awaitChange(nanos);
            }
            ended = true;
            changed.signalAll();
            left = List.copyOf(open);
        } finally {
            lock.unlock();
        }
        doors.forEach(door -> door.listener().close());
        left.forEach(BridgedConnection::close);
    }

    private long awaitChange(long nanos) {
        try {
            return changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
            return 0;
        }
    }
}
