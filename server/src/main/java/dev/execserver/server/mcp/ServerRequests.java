package dev.execserver.server.mcp;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcError;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.session.ConnectionGoneException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests of this server to one client. Any thread sends, the reader delivers the answers. The map has only requests without
 * an answer; {@link #close} fails them.
 */
final class ServerRequests {
    /** Largest number of unanswered requests. One more fails at once. */
    static final int MAX_PENDING = 1024;

    private final Map<Long, CompletableFuture<JsonSlice>> pending = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private volatile boolean closed;

    /**
     * Sends a request. A caller that gives up cancels the future.
     *
     * @return the result; fails with {@link ConnectionGoneException}, or with an {@link RpcException} when the client answers
     *     with an error or leaves too many requests unanswered
     */
    CompletableFuture<JsonSlice> send(Peer peer, String method, JsonWritable params) {
        if (pending.size() >= MAX_PENDING) {
            return CompletableFuture.failedFuture(
                    RpcException.internal(MAX_PENDING + " requests to the client have no answer yet"));
        }
        long id = lastId.incrementAndGet();
        CompletableFuture<JsonSlice> answer = new CompletableFuture<>();
        pending.put(id, answer);
        var _ = answer.whenComplete((_, _) -> {
            pending.remove(id);
            if (answer.isCancelled() && !closed) {
                Threads.virtual("mcp-cancel", () -> peer.send(cancellation(id)));
            }
        });
        if (closed) {
            answer.completeExceptionally(new ConnectionGoneException());
            return answer;
        }
        peer.send(Messages.request(id, method, params));
        return answer;
    }

    private static MessageBuffer cancellation(long id) {
        return Messages.notification("notifications/cancelled", g -> {
            g.writeStartObject();
            g.writeNumberField("requestId", id);
            g.writeStringField("reason", "nobody waits for the answer any more");
            g.writeEndObject();
        });
    }

    /** Delivers a result. An answer to no request is ignored. */
    void answered(RequestId id, JsonSlice result) {
        CompletableFuture<JsonSlice> answer = find(id);
        if (answer != null) {
            answer.complete(result.detached());
        }
    }

    /** Delivers an error. */
    void refused(RequestId id, RpcError error) {
        CompletableFuture<JsonSlice> answer = find(id);
        if (answer != null) {
            answer.completeExceptionally(RpcException.of(error.code(), error.message()));
        }
    }

    private CompletableFuture<JsonSlice> find(RequestId id) {
        return id instanceof RequestId.Number(long number) ? pending.get(number) : null;
    }

    /** Fails all requests, because the client has gone. */
    void close() {
        closed = true;
        pending.values().forEach(answer -> answer.completeExceptionally(new ConnectionGoneException()));
    }
}
