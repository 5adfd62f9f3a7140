package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Proof that a WebSocket upgrade must give. The credential is always {@code Authorization: Bearer TOKEN}. */
public sealed interface Auth {
    /** No authentication. */
    record None() implements Auth {}

    /** The token is the trimmed content of a file. */
    record TokenFile(Path file) implements Auth {
        public TokenFile {
            requireNonNull(file, "file");
        }
    }

    /** The server knows the SHA-256 of the token, but not the token. */
    record TokenDigest(String sha256) implements Auth {
        private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

        public TokenDigest {
            sha256 = sha256.toLowerCase(Locale.ROOT);
            if (!DIGEST.matcher(sha256).matches()) {
                throw new IllegalArgumentException("--ws-token-sha256 must be a 64-character hex SHA-256 digest");
            }
        }
    }

    /** The file names the clients, their credentials and rights. */
    record NamedClients(Path file) implements Auth {
        public NamedClients {
            requireNonNull(file, "file");
        }
    }

    /**
     * The token is a JWT.
     *
     * @param secretFile keys that verify it
     * @param issuer value that {@code iss} must have, if given
     * @param audience value that {@code aud} must be or contain, if given
     * @param maxClockSkew tolerated difference of the clocks when {@code exp} and {@code nbf} are compared
     */
    record SignedBearer(Path secretFile, Optional<String> issuer, Optional<String> audience, Duration maxClockSkew)
            implements Auth {
        public static final int MIN_SECRET_BYTES = 32;
        public static final int DEFAULT_MAX_CLOCK_SKEW_SECONDS = 30;
        public static final int LARGEST_MAX_CLOCK_SKEW_SECONDS = 3_600;

        public SignedBearer {
            requireNonNull(secretFile, "secretFile");
            requireNonNull(issuer, "issuer");
            requireNonNull(audience, "audience");
            Checks.range(
                    "maxClockSkew", maxClockSkew, Duration.ZERO, Duration.ofSeconds(LARGEST_MAX_CLOCK_SKEW_SECONDS));
        }
    }
}
