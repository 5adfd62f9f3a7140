package dev.execserver.client.rpc;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.Notification;
import dev.execserver.protocol.rpc.Request;
import java.util.Optional;
import java.util.function.Supplier;

/** Told what happens on a link. Must not block: the first is called by reader threads. */
public interface LinkListener {

    void notified(Notification notification);

    /**
     * The result for a request of the server, on a virtual thread of its own, which may wait; empty for one that is not for
     * this listener. An {@link dev.execserver.protocol.rpc.RpcException} is sent as an error.
     */
    default Optional<JsonWritable> answer(Request request) {
        return Optional.empty();
    }

    /** There is no connection; the link tries to make another one. */
    void interrupted();

    /** The session is attached to a new connection: what was pushed meanwhile was missed. */
    void resumed();

    /** It is over. */
    void ended(Supplier<ConnectionLostException> why);
}
