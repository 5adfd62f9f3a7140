package dev.execserver.client.rpc;

import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.RequestTimeoutException;
import dev.execserver.client.error.UnexpectedAnswerException;
import dev.execserver.client.transport.ClientTransport;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcError;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * One request and the thread that waits for its answer. The time limit runs only while the request is on a connection.
 * {@code lock} guards the state.
 */
final class Call {

    /** Limit of connections that may be lost under a request before the request fails. */
    static final int MAX_LOSSES = 20;

    private final String method;
    private final JsonWritable params;
    private final AfterLoss afterLoss;
    private final int maxAnswerBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean sent;
    private int losses;
    private long sentNanos;
    private JsonSlice result;
    private Supplier<RuntimeException> failure;

    Call(String method, JsonWritable params, AfterLoss afterLoss) {
        this(method, params, afterLoss, ClientTransport.MAX_MESSAGE_BYTES);
    }

    /** @param maxAnswerBytes limit of the message with the answer; a longer one fails the call and is not kept */
    Call(String method, JsonWritable params, AfterLoss afterLoss, int maxAnswerBytes) {
        this.method = method;
        this.params = params;
        this.afterLoss = afterLoss;
        this.maxAnswerBytes = maxAnswerBytes;
    }

    String method() {
        return method;
    }

    JsonWritable params() {
        return params;
    }

    /**
     * Returns true if the request may be sent again. After {@link #MAX_LOSSES} losses it may not: its answer may be the
     * cause of the losses.
     */
    boolean repeatable() {
        lock.lock();
        try {
            return afterLoss == AfterLoss.REPEAT && losses < MAX_LOSSES;
        } finally {
            lock.unlock();
        }
    }

    /** Notes that the request is about to be written: from now on the server may see it. */
    void sent() {
        update(() -> {
            sent = true;
            sentNanos = System.nanoTime();
        });
    }

    /** Notes that the connection is gone; the limit starts anew on the next one. */
    void unsent() {
        update(() -> {
            sent = false;
            losses++;
        });
    }

    /** Restarts the limit. A thread that sends several requests waits for them one after the other. */
    void restartLimit() {
        update(() -> sentNanos = System.nanoTime());
    }

    void complete(JsonSlice answer, int bytes) {
        if (bytes > maxAnswerBytes) {
            fail(() -> new UnexpectedAnswerException(
                    method,
                    "it has %d bytes, and %d are the most for what was asked".formatted(bytes, maxAnswerBytes)));
        } else {
            update(() -> result = answer);
        }
    }

    void fail(RpcError error) {
        fail(() -> new RequestFailedException(
                method, RequestPaths.of(method, params), error.code(), error.message(), ErrorDetails.of(error)));
    }

    /** @param exception makes the exception in the waiting thread, so that the stack trace is the caller's */
    void fail(Supplier<RuntimeException> exception) {
        update(() -> failure = exception);
    }

    /**
     * Waits for the answer.
     *
     * @param limit no limit if empty
     * @throws RequestTimeoutException when the limit has passed; the call stays with its connection until {@link Link}
     *     forgets it
     */
    JsonSlice await(Optional<Duration> limit) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (result == null && failure == null) {
                if (!sent || limit.isEmpty()) {
                    changed.await();
                } else {
                    awaitUntil(limit.get());
                }
            }
            if (failure != null) {
                throw failure.get();
            }
            return result;
        } finally {
            lock.unlock();
        }
    }

    private void awaitUntil(Duration limit) throws InterruptedException {
        long left = sentNanos + limit.toNanos() - System.nanoTime();
        if (left <= 0) {
            throw new RequestTimeoutException(method, limit);
        }
        // The caller checks again after any wake-up: the request may have moved to another connection meanwhile.
        long unused = changed.awaitNanos(left);
    }

    private void update(Runnable change) {
        lock.lock();
        try {
            if (result == null && failure == null) {
                change.run();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }
}
