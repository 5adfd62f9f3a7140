package dev.execserver.client.http;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.rpc.LinkListener;
import dev.execserver.protocol.net.BodyDelta;
import dev.execserver.protocol.net.NetMethodNames;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.InvalidBase64Exception;
import dev.execserver.protocol.rpc.Notification;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Streamed bodies of a client, by the ids of their requests. They end with the connection on which they came. */
public final class BodyStreams implements LinkListener {

    private final Map<String, BodyInput> open = new ConcurrentHashMap<>();

    void register(String requestId, BodyInput body) {
        open.put(requestId, body);
    }

    void forget(String requestId) {
        open.remove(requestId);
    }

    @Override
    public void notified(Notification notification) {
        if (!notification.method().equals(NetMethodNames.BODY_DELTA)) {
            return;
        }
        BodyDelta delta = BodyDelta.read(notification.params(), Dialect.OPEN);
        BodyInput body = open.get(delta.requestId());
        if (body == null) {
            return; // the body was closed
        }
        try {
            body.add(delta.delta().toByteArray());
        } catch (InvalidBase64Exception e) {
            body.end(Optional.of("the server has sent what is no Base64"));
        }
        if (delta.done()) {
            body.end(delta.error());
            open.remove(delta.requestId());
        }
    }

    @Override
    public void interrupted() {
        endAll("the connection was lost while the body was on its way");
    }

    @Override
    public void resumed() {
        // Streams do not outlive their connection.
    }

    @Override
    public void ended(Supplier<ConnectionLostException> why) {
        endAll(why.get().getMessage());
    }

    private void endAll(String why) {
        open.values().forEach(body -> body.end(Optional.of(why)));
        open.clear();
    }
}
