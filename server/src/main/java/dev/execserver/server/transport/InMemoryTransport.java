package dev.execserver.server.transport;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ReceivedMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Two ends joined in memory, for tests and for embedding a server without a port. Each end reads the messages that the
 * other writes. A full queue blocks the writer, as a socket would. Closing one end ends both.
 *
 * <p>Threads: any. One lock per pair guards both queues.
 */
public final class InMemoryTransport implements Transport {
    private static final int DEFAULT_CAPACITY = 1024;

    private final String name;
    private final Joint joint;
    private final ArrayDeque<byte[]> inbox = new ArrayDeque<>();
    private InMemoryTransport peer;
    private volatile long lastInboundNanos = System.nanoTime();

    private InMemoryTransport(String name, Joint joint) {
        this.name = name;
        this.joint = joint;
    }

    /** State that both ends share; guarded by its lock. */
    private static final class Joint {
        final ReentrantLock lock = new ReentrantLock();
        final Condition changed = lock.newCondition();
        final int capacity;
        Optional<CloseReason> closed = Optional.empty();

        Joint(int capacity) {
            this.capacity = capacity;
        }
    }

    /** The two ends of a connection. */
    public record Pair(InMemoryTransport client, InMemoryTransport server) {}

    public static Pair pair() {
        return pair(DEFAULT_CAPACITY);
    }

    /** @param capacity number of unread messages at which an end blocks the writer of the other end */
    public static Pair pair(int capacity) {
        Joint joint = new Joint(capacity);
        Pair pair = new Pair(new InMemoryTransport("memory client", joint), new InMemoryTransport("memory", joint));
        pair.client.peer = pair.server;
        pair.server.peer = pair.client;
        return pair;
    }

    @Override
    public String describe() {
        return name;
    }

    @Override
    public Optional<ReceivedMessage> read() throws IOException {
        joint.lock.lock();
        try {
            while (inbox.isEmpty() && joint.closed.isEmpty()) {
                await();
            }
            joint.changed.signalAll();
            return Optional.ofNullable(inbox.poll()).map(ReceivedMessage::of);
        } finally {
            joint.lock.unlock();
        }
    }

    @Override
    public void write(List<MessageBuffer> batch, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            if (batch.get(i).length() > MAX_MESSAGE_BYTES) {
                throw new MessageTooLargeException(batch.get(i).length());
            }
        }
        for (int i = 0; i < count; i++) {
            MessageBuffer message = batch.get(i);
            int start = message.offset();
            deliver(Arrays.copyOfRange(message.array(), start, start + message.length()));
        }
    }

    /** Sends text. */
    public void send(String json) throws IOException {
        deliver(json.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads a message as {@link #read} does, as text. */
    public Optional<String> receive() throws IOException {
        return read().map(message -> new String(message.bytes(), StandardCharsets.UTF_8));
    }

    @Override
    public void close(CloseReason reason) {
        joint.lock.lock();
        try {
            if (joint.closed.isEmpty()) {
                joint.closed = Optional.of(reason);
            }
            joint.changed.signalAll();
        } finally {
            joint.lock.unlock();
        }
    }

    /** Returns the reason why the pair was closed, by either end. */
    public Optional<CloseReason> closed() {
        joint.lock.lock();
        try {
            return joint.closed;
        } finally {
            joint.lock.unlock();
        }
    }

    @Override
    public long lastInboundNanos() {
        return lastInboundNanos;
    }

    private void deliver(byte[] message) throws IOException {
        joint.lock.lock();
        try {
            while (peer.inbox.size() >= joint.capacity && joint.closed.isEmpty()) {
                await();
            }
            if (joint.closed.isPresent()) {
                throw new IOException("connection is closed");
            }
            peer.inbox.add(message);
            peer.lastInboundNanos = System.nanoTime();
            joint.changed.signalAll();
        } finally {
            joint.lock.unlock();
        }
    }

    private void await() throws IOException {
        try {
            joint.changed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
