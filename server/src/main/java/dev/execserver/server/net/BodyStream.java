package dev.execserver.server.net;

import dev.execserver.protocol.net.BodyDelta;
import dev.execserver.protocol.net.NetMethodNames;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.outbound.PushSource;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The body of a response on its way to the client. It is read only as far as the connection takes it: a client that does
 * not read holds up this stream, and through it the peer, and nothing else on its connection.
 *
 * <p>A virtual thread of its own reads ({@link #run}), the connection's writing thread encodes, any thread
 * cancels. {@code lock} guards the fields.
 */
final class BodyStream implements PushSource {

    /** Most bytes of one notification. */
    static final int CHUNK_BYTES = 64 * 1024;

    /** Chunks that are read and not yet written. */
    private static final int MAX_WAITING = 2;

    /** What a stream may hold: waiting chunks, the one being read, what the JDK's client reads ahead. */
    static final long MEMORY_BYTES = 4L * CHUNK_BYTES;

    private static final String CANCELLED = "cancelled";

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private final String requestId;
    private final HttpExchange exchange;
    private final Outbound outbound;
    private final AnswerMemory memory;
    private final Runnable finished;
    private Optional<String> failure = Optional.empty();
    private long seq;
    private int encoded;
    private boolean complete;
    private boolean lastSent;
    private boolean cancelled;

    /**
     * A stream that has not begun.
     *
     * @param memory holds {@link #MEMORY_BYTES}, given back at the end
     * @param finished runs when the last notification is about to be written
     */
    BodyStream(String requestId, HttpExchange exchange, Outbound outbound, AnswerMemory memory, Runnable finished) {
        this.requestId = requestId;
        this.exchange = exchange;
        this.outbound = outbound;
        this.memory = memory;
        this.finished = finished;
    }

    /** Reads to the end, or until the connection is gone. */
    void run(ResponseBody body) {
        byte[] buffer = new byte[CHUNK_BYTES];
        exchange.onCancel(this::cancel);
        try {
            int count = body.read(buffer, exchange.deadline());
            while (count >= 0 && offer(Arrays.copyOf(buffer, count))) {
                outbound.schedule(this);
                count = body.read(buffer, exchange.deadline());
            }
            complete(count >= 0 ? Optional.of(CANCELLED) : Optional.empty());
        } catch (IOException e) {
            complete(Optional.of(exchange.cancelled() ? CANCELLED : "error decoding response body"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            body.cancel();
            memory.release();
        }
        outbound.schedule(this);
    }

    /** Waits for room; false when nobody wants the body any more. */
    private boolean offer(byte[] chunk) {
        lock.lock();
        try {
            while (!cancelled && waiting.size() + encoded >= MAX_WAITING) {
                changed.awaitUninterruptibly();
            }
            waiting.add(chunk);
            return !cancelled;
        } finally {
            lock.unlock();
        }
    }

    private void complete(Optional<String> why) {
        lock.lock();
        try {
            failure = why;
            complete = true;
        } finally {
            lock.unlock();
        }
    }

    /** Nobody wants the rest: the connection is gone, or the client has said so. */
    private void cancel() {
        lock.lock();
        try {
            cancelled = true;
            waiting.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean encodeNext(MessageBuffer out) {
        BodyDelta delta;
        lock.lock();
        try {
            if (lastSent || (waiting.isEmpty() && !complete)) {
                return false;
            }
            seq++;
            if (waiting.isEmpty()) {
                lastSent = true;
                delta = BodyDelta.last(requestId, seq, failure);
            } else {
                delta = new BodyDelta(requestId, seq, Base64Data.ofBytes(waiting.remove()), false, Optional.empty());
                encoded++;
            }
        } finally {
            lock.unlock();
        }
        MessageEncoder.notification(out, NetMethodNames.BODY_DELTA, delta);
        if (delta.done()) {
            finished.run();
        }
        return true;
    }

    @Override
    public void written() {
        lock.lock();
        try {
            encoded = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
