package dev.execserver.server.transport.auth;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Lets clients connect that have a JSON Web Token (RFC 7519) signed with one of the known keys. It requires {@code exp}; it checks {@code nbf} if present, {@code iss} and {@code aud} if configured. The {@code sub} of
 * the token owns the sessions that its client begins.
 */
public final class SignedBearer implements Authenticator {
    public static final Duration DEFAULT_SKEW = Duration.ofSeconds(30);

    private final TokenKeys keys;
    private final Optional<String> issuer;
    private final Optional<String> audience;
    private final Duration skew;
    private final Clock clock;

    SignedBearer(byte[] keys, Optional<String> issuer, Optional<String> audience, Duration skew, Clock clock) {
        this(TokenKeys.of(keys, ""), issuer, audience, skew, clock);
    }

    private SignedBearer(
            TokenKeys keys, Optional<String> issuer, Optional<String> audience, Duration skew, Clock clock) {
        this.keys = keys;
        this.issuer = Objects.requireNonNull(issuer, "issuer");
        this.audience = Objects.requireNonNull(audience, "audience");
        this.skew = Objects.requireNonNull(skew, "skew");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /** Reads the keys from a file: its bytes, text or not, without the ASCII white space around them. */
    public static SignedBearer fromFile(Path path, Optional<String> issuer, Optional<String> audience, Duration skew) {
        byte[] content = SecretFiles.read(path).bytes();
        if (content.length < TokenKey.MIN_SECRET_BYTES) {
            throw new AuthConfigurationException(
                    "signed websocket bearer secret " + path + " must be at least 32 bytes");
        }
        return new SignedBearer(TokenKeys.of(content, path.toString()), issuer, audience, skew, Clock.systemUTC());
    }

    @Override
    public Admission check(List<String> authorization) {
        return BearerHeader.check(authorization, token -> {
            try {
                JsonWebToken claims = JsonWebToken.verified(token, keys);
                return wrongClaim(claims)
                        .<Admission>map(Admission.Refused::new)
                        .orElseGet(() -> new Admission.Granted(claims.owner()));
            } catch (InvalidTokenException e) {
                return new Admission.Refused("invalid websocket jwt");
            }
        });
    }

    private Optional<String> wrongClaim(JsonWebToken claims) {
        double now = clock.millis() / 1000.0;
        double leeway = skew.toMillis() / 1000.0;
        if (claims.expires().isEmpty()) {
            return Optional.of("invalid websocket jwt");
        }
        if (claims.expires().getAsDouble() + leeway < now) {
            return Optional.of("expired websocket jwt");
        }
        if (claims.notBefore().isPresent() && claims.notBefore().getAsDouble() - leeway > now) {
            return Optional.of("websocket jwt is not valid yet");
        }
        if (issuer.isPresent() && !issuer.equals(claims.issuer())) {
            return Optional.of("websocket jwt issuer mismatch");
        }
        if (audience.isPresent() && !claims.audience().contains(audience.get())) {
            return Optional.of("websocket jwt audience mismatch");
        }
        return Optional.empty();
    }

    /** Returns true for the same key and the same claims. */
    @Override
    public boolean equals(Object other) {
        return other instanceof SignedBearer bearer
                && keys.equals(bearer.keys)
                && issuer.equals(bearer.issuer)
                && audience.equals(bearer.audience)
                && skew.equals(bearer.skew);
    }

    @Override
    public int hashCode() {
        return Objects.hash(keys, issuer, audience, skew);
    }

    @Override
    public String toString() {
        return "SignedBearer[keys hidden, issuer=" + issuer + ", audience=" + audience + ", skew=" + skew + "]";
    }
}
