package dev.execserver.server.net;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.rpc.Belonging;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The requests of one connection that are under way, streams included: they end with it. Its reader thread reserves ids and
 * cancels, other threads add and remove. No lock: a request that is added behind the end finds {@code ended}.
 */
final class HttpStreams implements Belonging {

    /** Streams that one connection may have open. */
    static final int MAX_STREAMS = 128;

    private final Set<String> ids = ConcurrentHashMap.newKeySet();
    private final Set<Runnable> cancellations = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    /**
     * Takes the id of a stream that is about to be asked for.
     *
     * @throws RpcException -32602 when it is taken, -32603 when there are too many streams
     */
    void reserve(String id) {
        if (ids.contains(id)) {
            throw RpcException.invalidParams("http/request streamResponse requestId `" + id + "` is already active");
        }
        if (ids.size() >= MAX_STREAMS) {
            throw RpcException.internal("at most " + MAX_STREAMS
                            + " streamed responses may be open per connection; read one to its end")
                    .withData("reason", "tooManyStreams")
                    .withData("limit", MAX_STREAMS);
        }
        ids.add(id);
    }

    void free(String id) {
        ids.remove(id);
    }

    /** Something that must be broken off when the connection ends; at once if it has ended. */
    void add(Runnable cancellation) {
        cancellations.add(cancellation);
        if (ended) {
            cancellation.run();
        }
    }

    void remove(Runnable cancellation) {
        cancellations.remove(cancellation);
    }

    @Override
    public void connectionEnded() {
        ended = true;
        cancellations.forEach(Runnable::run);
    }
}
