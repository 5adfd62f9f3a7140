package dev.execserver.client.rpc;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.Notification;
import dev.execserver.protocol.rpc.Request;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Receives the events of a link. Methods must not block, because reader threads call them; only {@link #answer} may.
 */
public interface LinkListener {

    void notified(Notification notification);

    /**
     * Returns the result for a request of the server; empty if the request is not for this listener. It runs on a
     * virtual thread of its own and may wait. An {@link dev.execserver.protocol.rpc.RpcException} is sent as an error.
     */
    default Optional<JsonWritable> answer(Request request) {
        return Optional.empty();
    }

    /** Reports warnings of the server about the params of a request. */
    default void warned(String method, List<String> warnings) {}

    /** Reports that there is no connection; the link tries to make another one. */
    void interrupted();

    /** Reports that the session is attached to a new connection. Events that were pushed meanwhile were missed. */
    void resumed();

    /** Reports the end of the link. */
    void ended(Supplier<ConnectionLostException> why);
}
