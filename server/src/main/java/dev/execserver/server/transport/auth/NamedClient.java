package dev.execserver.server.transport.auth;

import dev.execserver.server.rights.Rights;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A client that the operator has named.
 *
 * @param tokens that it may show; several while one takes the place of another
 * @param certificates of TLS that it may show
 */
public record NamedClient(String name, List<Token> tokens, List<CertificateRule> certificates, Rights rights) {
    public NamedClient {
        tokens = List.copyOf(tokens);
        certificates = List.copyOf(certificates);
    }

    /**
     * A token, of which only the digest is known.
     *
     * @param sha256 in hexadecimal, 64 small digits
     * @param from time before which it is not accepted
     * @param until time from which it is no longer accepted
     */
    public record Token(String sha256, Optional<Instant> from, Optional<Instant> until) {

        byte[] digest() {
            return HexFormat.of().parseHex(sha256);
        }

        boolean expired(Instant now) {
            return until.isPresent() && !now.isBefore(until.get());
        }

        boolean early(Instant now) {
            return from.isPresent() && now.isBefore(from.get());
        }

        @Override
        public String toString() {
            return "Token[digest hidden, from=" + from + ", until=" + until + "]";
        }
    }
}
