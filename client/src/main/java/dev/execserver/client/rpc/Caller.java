package dev.execserver.client.rpc;

import dev.execserver.client.error.UnexpectedAnswerException;
import dev.execserver.client.error.UnsupportedFeatureException;
import dev.execserver.client.transport.ClientTransport;
import dev.execserver.protocol.environment.Capability;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Makes typed calls on a link. The classes with one method per protocol method use it. */
public final class Caller {

    /** Reader of results that carry no data. */
    public static final ResultReader<Void> NOTHING = (result, dialect) -> null;

    /** Static {@code read} method of a result. */
    @FunctionalInterface
    public interface ResultReader<T> {
        T read(JsonSlice result, Dialect dialect);
    }

    private final Link link;
    private final Duration requestTimeout;

    public Caller(Link link, Duration requestTimeout) {
        this.link = link;
        this.requestTimeout = requestTimeout;
    }

    public Set<String> features() {
        return link.greeting().features();
    }

    /** Returns true if the server is of any era but the first. */
    public boolean hasSessions() {
        return link.greeting().sessionId().isPresent();
    }

    /** @throws UnsupportedFeatureException when the server does not announce this addition */
    public void require(String feature) {
        if (!features().contains(feature)) {
            throw new UnsupportedFeatureException(feature);
        }
    }

    /** @throws UnsupportedFeatureException when the server does not announce this capability */
    public void require(Capability capability) {
        boolean supported = link.greeting()
                .environment()
                .filter(environment -> environment.capabilities().supports(capability))
                .isPresent();
        if (!supported) {
            throw new UnsupportedFeatureException(capability.wire());
        }
    }

    /** Makes a call within the request timeout. */
    public <T> T call(String method, JsonWritable params, AfterLoss afterLoss, ResultReader<T> reader)
            throws InterruptedException {
        return decode(method, link.call(method, params, afterLoss, Optional.of(requestTimeout)), reader);
    }

    /** Request that was sent. */
    @FunctionalInterface
    public interface Pending<T> {

        /** Waits for the answer; the request timeout counts from here. Fails as {@link #call} does. */
        T await() throws InterruptedException;
    }

    /**
     * Sends a request without waiting for its answer. Requests of one thread reach the server in the order of these
     * calls. If nobody waits for an answer, it is dropped when it comes.
     */
    public <T> Pending<T> begin(String method, JsonWritable params, AfterLoss afterLoss, ResultReader<T> reader) {
        return begin(method, params, afterLoss, ClientTransport.MAX_MESSAGE_BYTES, reader);
    }

    /**
     * Does the same with a limit for the answer.
     *
     * @param maxAnswerBytes limit of the message with the answer; a longer one is an {@link UnexpectedAnswerException}
     */
    public <T> Pending<T> begin(
            String method, JsonWritable params, AfterLoss afterLoss, int maxAnswerBytes, ResultReader<T> reader) {
        Call call = link.begin(method, params, afterLoss, maxAnswerBytes);
        return () -> {
            call.restartLimit();
            return decode(method, link.await(call, Optional.of(requestTimeout)), reader);
        };
    }

    /** Makes a call within the request timeout plus the time that the server was asked to wait. */
    public <T> T callWaiting(
            String method, JsonWritable params, AfterLoss afterLoss, long waitMs, ResultReader<T> reader)
            throws InterruptedException {
        Duration limit = requestTimeout.plusMillis(waitMs);
        return decode(method, link.call(method, params, afterLoss, Optional.of(limit)), reader);
    }

    /** Makes a call that waits until the server answers or the connection is lost for good. */
    public <T> T callWithoutLimit(String method, JsonWritable params, AfterLoss afterLoss, ResultReader<T> reader)
            throws InterruptedException {
        return decode(method, link.call(method, params, afterLoss, Optional.empty()), reader);
    }

    /** Sends a request as soon as there is a connection, without waiting for the answer. */
    public void send(String method, JsonWritable params) {
        link.send(method, params);
    }

    private static <T> T decode(String method, JsonSlice result, ResultReader<T> reader) {
        try {
            return reader.read(result, Dialect.OPEN);
        } catch (RpcException e) {
            throw new UnexpectedAnswerException(method, e);
        }
    }
}
