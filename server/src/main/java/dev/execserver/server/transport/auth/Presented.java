package dev.execserver.server.transport.auth;

import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Everything by which a client may prove who it is.
 *
 * @param authorization the values of all Authorization headers of the request
 * @param peer address of the connection
 * @param certificate of the TLS client, which an authority of {@code --tls-client-ca} has signed
 * @param delayed is told how long the refusal of the client will wait
 */
public record Presented(
        List<String> authorization,
        SocketAddress peer,
        Optional<X509Certificate> certificate,
        Consumer<Duration> delayed) {
    public Presented {
        authorization = List.copyOf(authorization);
    }

    public Presented(List<String> authorization, SocketAddress peer) {
        this(authorization, peer, Optional.empty(), _ -> {});
    }
}
