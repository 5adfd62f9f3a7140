package dev.execserver.server.transport.auth;

import java.security.MessageDigest;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;

/**
 * Lets the clients connect that the operator has named, each with its own rights. A client shows a token or a certificate
 * of TLS; a token counts if it shows both. Only digests of tokens are kept. All of them are compared, each in constant time,
 * so that the time of a refusal tells nothing.
 */
public final class NamedClients implements Authenticator {
    private static final Optional<String> ISSUER = Optional.of("clients");

    private final List<NamedClient> clients;
    private final Clock clock;

    public NamedClients(List<NamedClient> clients) {
        this(clients, Clock.systemUTC());
    }

    NamedClients(List<NamedClient> clients, Clock clock) {
        this.clients = List.copyOf(clients);
        this.clock = clock;
    }

    @Override
    public Admission check(List<String> authorization) {
        return BearerHeader.check(authorization, this::byToken);
    }

    @Override
    public Admission check(Presented presented) {
        return presented.authorization().isEmpty() && presented.certificate().isPresent()
                ? byCertificate(presented.certificate().get())
                : check(presented.authorization());
    }

    private Admission byToken(String token) {
        byte[] digest = TokenDigests.of(token);
        Instant now = clock.instant();
        Admission admission = new Admission.Refused("invalid websocket bearer token");
        for (NamedClient client : clients) {
            for (NamedClient.Token known : client.tokens()) {
                if (MessageDigest.isEqual(known.digest(), digest)) {
                    admission = admission(client, known, now);
                }
            }
        }
        return admission;
    }

    /** A peer that knows the token may be told why it is refused. */
    private static Admission admission(NamedClient client, NamedClient.Token token, Instant now) {
        if (token.expired(now)) {
            return new Admission.Refused("expired websocket bearer token of client " + client.name());
        }
        if (token.early(now)) {
            return new Admission.Refused("websocket bearer token of client " + client.name() + " is not valid yet");
        }
        return granted(client);
    }

    private Admission byCertificate(X509Certificate certificate) {
        try {
            // The handshake may be long ago: a connection may carry many requests.
            certificate.checkValidity(Date.from(clock.instant()));
        } catch (CertificateExpiredException | CertificateNotYetValidException e) {
            return new Admission.Refused("the client certificate is not valid at this time");
        }
        return clients.stream()
                .filter(client -> client.certificates().stream().anyMatch(rule -> rule.matches(certificate)))
                .findFirst()
                .map(NamedClients::granted)
                .orElseGet(() -> new Admission.Refused(
                        "no client has the certificate of " + certificate.getSubjectX500Principal()));
    }

    private static Admission granted(NamedClient client) {
        return new Admission.Granted(Optional.of(new Subject(ISSUER, client.name(), client.rights())));
    }

    /** Returns true for the same clients. */
    @Override
    public boolean equals(Object other) {
        return other instanceof NamedClients named && clients.equals(named.clients);
    }

    @Override
    public int hashCode() {
        return clients.hashCode();
    }

    @Override
    public String toString() {
        return "NamedClients[" + clients.stream().map(NamedClient::name).toList() + "]";
    }
}
