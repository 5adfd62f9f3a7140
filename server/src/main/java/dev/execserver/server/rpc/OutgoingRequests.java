package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.session.ConnectionGoneException;
import dev.execserver.server.session.Unasked;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Requests that this server sends to the client of one connection. Their ids count from 1, independently of the
 * client's ids. Any thread sends, the reader thread delivers the answers; {@code lock} guards the fields.
 */
final class OutgoingRequests {

    /** Largest number of unanswered requests. One more fails at once. */
    static final int MAX_PENDING = 1024;

    /** Largest result in bytes. No request of this server has a larger one. */
    static final int MAX_ANSWER_BYTES = 64 * 1024;

    /** Characters of an error's message that are kept. It may wait for other answers. */
    static final int MAX_ERROR_CHARS = 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, CompletableFuture<JsonSlice>> pending = new HashMap<>();
    private final Outbound outbound;
    private long lastId;
    private boolean closed;

    OutgoingRequests(Outbound outbound) {
        this.outbound = outbound;
    }

    /**
     * Sends a request without waiting. A caller that gives up cancels the future; an answer that comes later is
     * ignored.
     *
     * @return the result; fails with {@link ConnectionGoneException}, or with an {@link RpcException} when the client
     * answers with an error, does not read, or {@link #MAX_PENDING} requests are unanswered
     */
    CompletableFuture<JsonSlice> send(String method, JsonWritable params) {
        CompletableFuture<JsonSlice> answer = new CompletableFuture<>();
        MessageBuffer message = new MessageBuffer();
        lock.lock();
        try {
            if (closed) {
                return CompletableFuture.failedFuture(new ConnectionGoneException());
            }
            if (pending.size() >= MAX_PENDING) {
                return CompletableFuture.failedFuture(
                        Unasked.because(MAX_PENDING + " requests to the client have no answer yet"));
            }
            long id = ++lastId;
            MessageEncoder.request(message, RequestId.of(id), method, params);
            // Queued under the lock so that ids leave in order. The call does not wait.
            if (!outbound.offer(message, () -> {})) {
                return CompletableFuture.failedFuture(Unasked.because("the client does not read"));
            }
            pending.put(id, answer);
            var _ = answer.whenComplete((result, failure) -> forget(id));
        } finally {
            lock.unlock();
        }
        return answer;
    }

    private void forget(long id) {
        lock.lock();
        try {
            pending.remove(id);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Delivers the result of a request.
     *
     * @return false if no request with this id was ever sent; a late or repeated answer is ignored
     */
    boolean answered(RequestId id, JsonSlice result) {
        if (!asked(id)) {
            return false;
        }
        CompletableFuture<JsonSlice> waiting = waiting(id);
        if (result.length() > MAX_ANSWER_BYTES) {
            waiting.completeExceptionally(RpcException.internal("an answer of " + result.length() + " bytes"));
        } else {
            waiting.complete(result.detached());
        }
        return true;
    }

    /** Delivers an error, whose message is cut to {@link #MAX_ERROR_CHARS}; otherwise like {@link #answered}. */
    boolean failed(RequestId id, String message) {
        if (!asked(id)) {
            return false;
        }
        String kept = message.length() > MAX_ERROR_CHARS ? message.substring(0, MAX_ERROR_CHARS) : message;
        waiting(id).completeExceptionally(RpcException.internal(kept));
        return true;
    }

    private boolean asked(RequestId id) {
        lock.lock();
        try {
            return id instanceof RequestId.Number(long number) && number >= 1 && number <= lastId;
        } finally {
            lock.unlock();
        }
    }

    private CompletableFuture<JsonSlice> waiting(RequestId id) {
        lock.lock();
        try {
            CompletableFuture<JsonSlice> found =
                    id instanceof RequestId.Number(long number) ? pending.get(number) : null;
            return found == null ? new CompletableFuture<>() : found;
        } finally {
            lock.unlock();
        }
    }

    /** Called when the connection has ended: all pending requests fail. */
    void close() {
        List<CompletableFuture<JsonSlice>> left;
        lock.lock();
        try {
            closed = true;
            left = List.copyOf(pending.values());
        } finally {
            lock.unlock();
        }
        left.forEach(answer -> answer.completeExceptionally(new ConnectionGoneException()));
    }

    /** Returns the error for an answer to no request. */
    static RpcException unsolicited(RequestId id) {
        return RpcException.invalidRequest("response with id " + text(id) + " answers no request of this server");
    }

    private static String text(RequestId id) {
        return switch (id) {
            case RequestId.Text(String value) -> value;
            case RequestId.Number(long value) -> Long.toString(value);
            case RequestId.Unknown() -> "null";
        };
    }
}
