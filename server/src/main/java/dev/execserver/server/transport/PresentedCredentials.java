package dev.execserver.server.transport;

import dev.execserver.server.transport.auth.Presented;
import io.helidon.common.socket.PeerInfo;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Collects the credentials of a request. Stateless. */
public final class PresentedCredentials {
    private PresentedCredentials() {}

    /** @param delayed is told how long the refusal of the client will wait */
    public static Presented of(PeerInfo peer, Headers headers, Consumer<Duration> delayed) {
        List<String> authorization = headers.contains(HeaderNames.AUTHORIZATION)
                ? headers.get(HeaderNames.AUTHORIZATION).allValues()
                : List.of();
        return new Presented(authorization, peer.address(), certificate(peer), delayed);
    }

    /** The first certificate of the chain is that of the client. */
    private static Optional<X509Certificate> certificate(PeerInfo peer) {
        return peer.tlsCertificates()
                .flatMap(chain -> Arrays.stream(chain).findFirst())
                .filter(X509Certificate.class::isInstance)
                .map(X509Certificate.class::cast);
    }
}
