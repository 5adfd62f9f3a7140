package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.session.ConnectionGoneException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What this server asks the client of one connection. Ids count from 1 and have nothing to do with those of the client. Any
 * thread asks, the reader thread answers; {@code lock} guards the fields.
 */
final class OutgoingRequests {

    /** Questions without an answer; one more fails at once. */
    static final int MAX_PENDING = 1024;

    /** An answer that is larger says nothing that we have asked for. */
    static final int MAX_ANSWER_BYTES = 64 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, CompletableFuture<JsonSlice>> pending = new HashMap<>();
    private final Outbound outbound;
    private long lastId;
    private boolean closed;

    OutgoingRequests(Outbound outbound) {
        this.outbound = outbound;
    }

    /**
     * Sends a request without waiting. A caller that gives up cancels the future; a later answer is then no surprise.
     *
     * @return the result; fails with {@link ConnectionGoneException}, or with an {@link RpcException} when the client answers
     *     with an error or too much is pending
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
                        RpcException.internal(MAX_PENDING + " requests to the client have no answer yet"));
            }
            long id = ++lastId;
            MessageEncoder.request(message, RequestId.of(id), method, params);
            // Under the lock, so that ids leave in their order; it does not wait.
            if (!outbound.offer(message, () -> {})) {
                return CompletableFuture.failedFuture(RpcException.internal("the client does not read"));
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
     * An answer has come.
     *
     * @return false when nothing was ever asked under this id; an answer that comes late or twice is let pass
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

    /** As {@link #answered}, for an error. */
    boolean failed(RequestId id, String message) {
        if (!asked(id)) {
            return false;
        }
        waiting(id).completeExceptionally(RpcException.internal(message));
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

    /** The connection is over. */
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
}
