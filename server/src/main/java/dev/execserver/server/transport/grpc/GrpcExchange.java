package dev.execserver.server.transport.grpc;

import dev.execserver.server.transport.auth.Subject;
import java.util.Optional;

/** One call, as its method sees it. Methods run on one thread; {@link #over} may be asked by any. */
public interface GrpcExchange {

    /** Returns the owner that the credential of the call names. */
    Optional<Subject> subject();

    /** Returns the address of the client. */
    String client();

    /**
     * Sends a message. Waits until the client has room for it.
     *
     * @throws GrpcException if the call is over
     */
    void send(byte[] message);

    /** Returns true if nobody waits for the call any more: it was cancelled, or its deadline has passed. */
    boolean over();

    /** Runs the work once, as soon as the call is over before its method has returned. At once if it already is. */
    void whenOver(Runnable work);
}
