package dev.execserver.server.net;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.rpc.ConnectionState;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The running HTTP requests of one connection. The end of the connection cancels them all; the client may cancel a
 * streamed one. The connection's reader thread reserves ids and cancels, request and stream threads add and remove. No
 * lock: a request that is added after the end sees {@code ended}.
 */
public final class HttpStreams implements ConnectionState {

    /** Largest number of open streams of one connection. */
    static final int MAX_STREAMS = 128;

    private final Map<String, HttpExchange> streams = new ConcurrentHashMap<>();
    private final Set<HttpExchange> buffered = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    /**
     * Reserves the id of a stream that is about to be requested.
     *
     * @throws RpcException -32602 if it is taken, -32603 if there are too many streams
     */
    public void reserve(String id, HttpExchange exchange) {
        if (streams.containsKey(id)) {
            throw RpcException.invalidParams("http/request streamResponse requestId `" + id + "` is already active");
        }
        if (streams.size() >= MAX_STREAMS) {
            throw RpcException.internal("at most " + MAX_STREAMS
                            + " streamed responses may be open per connection; read one to its end")
                    .withData("reason", "tooManyStreams")
                    .withData("limit", MAX_STREAMS);
        }
        streams.put(id, exchange);
    }

    /** Frees the id of a stream that has ended or never began. */
    public void free(String id) {
        streams.remove(id);
    }

    public void add(HttpExchange exchange) {
        buffered.add(exchange);
        if (ended) {
            exchange.cancel();
        }
    }

    public void remove(HttpExchange exchange) {
        buffered.remove(exchange);
    }

    public void cancel(String id) {
        Optional.ofNullable(streams.get(id)).ifPresent(HttpExchange::cancel);
    }

    @Override
    public void connectionEnded() {
        ended = true;
        streams.values().forEach(HttpExchange::cancel);
        buffered.forEach(HttpExchange::cancel);
    }
}
