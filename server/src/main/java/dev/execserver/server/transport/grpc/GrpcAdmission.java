package dev.execserver.server.transport.grpc;

import dev.execserver.server.transport.auth.Subject;
import io.helidon.common.socket.PeerInfo;
import io.helidon.http.Headers;
import java.util.Optional;

/** Decides about calls before their messages are read. Any thread; may wait. */
public interface GrpcAdmission {

    /**
     * Admits a call.
     *
     * @param authority name of the server in the call
     * @return the owner that its credential names
     * @throws GrpcException if it is refused
     */
    Optional<Subject> admit(PeerInfo peer, Headers headers, String authority, String path);

    /** Notes that an admitted call has ended. */
    void ended(PeerInfo peer);
}
