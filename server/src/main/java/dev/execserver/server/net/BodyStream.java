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
 * Streams the body of a response to the client. Reads only as fast as the connection takes the chunks: a client that
 * does not read stops this stream, and through it the HTTP peer, but nothing else on its connection.
 *
 * <p>A virtual thread of its own reads ({@link #run}), the thread that writes to the connection encodes, any thread
 * cancels. {@code lock} guards the fields.
 */
public final class BodyStream implements PushSource {

    /** Largest number of body bytes in one notification. */
    static final int CHUNK_BYTES = 64 * 1024;

    /** Largest number of chunks that were read and not yet written. */
    private static final int MAX_WAITING = 2;

    /**
     * Bytes of memory that a stream may hold: waiting chunks, the chunk being read, and the read-ahead of the JDK's
     * client.
     */
    public static final long MEMORY_BYTES = 4L * CHUNK_BYTES;

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
     * Makes a stream that has not begun.
     *
     * @param memory holds {@link #MEMORY_BYTES}; released at the end
     * @param finished runs when the last notification is about to be written
     */
    public BodyStream(
            String requestId, HttpExchange exchange, Outbound outbound, AnswerMemory memory, Runnable finished) {
        this.requestId = requestId;
        this.exchange = exchange;
        this.outbound = outbound;
        this.memory = memory;
        this.finished = finished;
    }

    /** Reads the body to its end, or until it is cancelled. */
    public void run(ResponseBody body) {
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

    /** Adds a chunk. Waits for room. Returns false if the stream was cancelled. */
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

    /** Cancels the stream: the connection is gone, or the client has sent a cancel. */
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
