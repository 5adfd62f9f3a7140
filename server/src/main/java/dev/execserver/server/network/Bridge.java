package dev.execserver.server.network;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.TcpCalls;
import dev.execserver.sandbox.spawn.AsyncFd;
import dev.execserver.sandbox.spawn.ClosedException;
import dev.execserver.sandbox.spawn.Poller;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.DescriptorRoom;
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
 * The host's end of one sandboxed command's network: accepts what the command opens to its proxies, and hands each connection
 * to the handler of the door it came through. Lives as long as the command: {@link #close} takes what is still queued, gives
 * it {@link #FAREWELL} to be delivered, and ends the rest.
 *
 * <p>One virtual thread a door accepts, one a connection serves. The lock guards the set of open connections and the phase,
 * never I/O.
 */
public final class Bridge implements AutoCloseable {
    /**
     * Connections at once, and fewer where the server may have few descriptors; further ones wait in the queue of the
     * listening socket.
     */
    public static final int MAX_CONNECTIONS = 1024;

    /** What a command has sent just before its end is still delivered in this time. */
    static final Duration FAREWELL = Duration.ofSeconds(2);

    private static final Duration OUT_OF_DESCRIPTORS = Duration.ofMillis(100);
    private static final Logger LOG = LoggerFactory.getLogger(Bridge.class);

    private final Poller poller;
    private final DescriptorRoom descriptors;
    private final int maxConnections;
    private final List<Door> doors;
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
    public record Door(AsyncFd listener, BridgeHandler handler) {}

    private Bridge(List<Door> doors, Poller poller, DescriptorRoom descriptors) {
        this.doors = List.copyOf(doors);
        this.poller = poller;
        this.descriptors = descriptors;
        this.maxConnections = descriptors.forCommand(MAX_CONNECTIONS);
        this.accepting = doors.size();
    }

    /** Takes over the doors and begins to accept. */
    public static Bridge open(List<Door> doors, Poller poller, DescriptorRoom descriptors) {
        Bridge bridge = new Bridge(doors, poller, descriptors);
        bridge.doors.forEach(door -> Threads.virtual("bridge-accept", () -> bridge.accept(door)));
        return bridge;
    }

    private void accept(Door door) {
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

    /** Without a free descriptor the connection stays queued, and the socket readable: try again later, not at once. */
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

    /** False when the time of the bridge is up. */
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

    /** Connections that are open now. */
    int connections() {
        lock.lock();
        try {
            return open.size();
        } finally {
            lock.unlock();
        }
    }

    /** The command is gone. Does not wait; what is in flight has {@link #FAREWELL}. */
    @Override
    public void close() {
        change(() -> ending = true);
        doors.forEach(door -> door.listener().wake());
        Threads.virtual("bridge-end", this::end);
    }

    /** As {@link #close}, and waits for what is in flight. */
    public void finish() {
        change(() -> ending = true);
        doors.forEach(door -> door.listener().wake());
        end();
    }

    private void end() {
        List<BridgedConnection> left;
        lock.lock();
        try {
            long nanos = FAREWELL.toNanos();
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
