package dev.execserver.server.transport.websocket;

import dev.execserver.server.transport.PresentedCredentials;
import dev.execserver.server.transport.auth.Admission;
import dev.execserver.server.transport.auth.Subject;
import dev.execserver.server.transport.grpc.GrpcAdmission;
import dev.execserver.server.transport.grpc.GrpcCode;
import dev.execserver.server.transport.grpc.GrpcException;
import dev.execserver.server.transport.origin.ClientAddress;
import io.helidon.common.socket.PeerInfo;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.http.Status;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks calls over gRPC as requests over HTTP are checked, and keeps their connections open. Threads: those of streams. No locks; the
 * map counts the calls of each peer.
 */
final class CallGate implements GrpcAdmission {

    /** Time for which a connection without calls is kept: clients hold one for all their calls. */
    private static final Duration IDLE = Duration.ofMinutes(10);

    private static final Duration WHILE_CALLED = Duration.ofDays(3650);

    private final WebSocketOptions.Access access;
    private final PendingConnections doorman;
    private final RefusalLog refusals;
    private final Map<SocketAddress, Integer> calls = new ConcurrentHashMap<>();

    CallGate(WebSocketOptions.Access access, PendingConnections doorman, RefusalLog refusals) {
        this.access = access;
        this.doorman = doorman;
        this.refusals = refusals;
    }

    @Override
    public Optional<Subject> admit(PeerInfo peer, Headers headers, String authority, String path) {
        if (access.refuseOrigin() && headers.contains(HeaderNames.ORIGIN)) {
            throw refused(peer, path, Status.FORBIDDEN_403, GrpcCode.PERMISSION_DENIED, HttpRefusal.ORIGIN);
        }
        access.hosts().refusal(authority).ifPresent(why -> {
            throw refused(peer, path, Status.FORBIDDEN_403, GrpcCode.PERMISSION_DENIED, why);
        });
        Admission admission = access.authenticator()
                .check(PresentedCredentials.of(peer, headers, wait -> doorman.refusedSoon(peer.address(), wait)));
        return switch (admission) {
            case Admission.Granted(Optional<Subject> subject) -> {
                calls.merge(peer.address(), 1, Integer::sum);
                doorman.allow(peer.address(), WHILE_CALLED);
                yield subject;
            }
            case Admission.Refused(String why) ->
                throw refused(peer, path, Status.UNAUTHORIZED_401, GrpcCode.UNAUTHENTICATED, why);
        };
    }

    private GrpcException refused(PeerInfo peer, String path, Status status, GrpcCode code, String why) {
        refusals.refused(
                ClientAddress.direct(SocketHelpers.text(peer.address())), "POST " + path + " HTTP/2", status, why);
        return new GrpcException(code, why);
    }

    @Override
    public void ended(PeerInfo peer) {
        calls.computeIfPresent(peer.address(), (address, count) -> {
            if (count > 1) {
                return count - 1;
            }
            doorman.allow(address, IDLE);
            return null;
        });
    }
}
