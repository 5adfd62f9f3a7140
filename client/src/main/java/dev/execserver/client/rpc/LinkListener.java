package dev.execserver.client.rpc;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.protocol.rpc.Notification;
import java.util.function.Supplier;

/** Told what happens on a link. Must not block: the first is called by reader threads. */
public interface LinkListener {

    void notified(Notification notification);

    /** There is no connection; the link tries to make another one. */
    void interrupted();

    /** The session is attached to a new connection: what was pushed meanwhile was missed. */
    void resumed();

    /** It is over. */
    void ended(Supplier<ConnectionLostException> why);
}
