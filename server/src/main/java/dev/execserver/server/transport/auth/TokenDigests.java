package dev.execserver.server.transport.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.Optional;

/** Digests of tokens, by which a token is known without being kept. Stateless. */
public final class TokenDigests {
    private TokenDigests() {}

    static byte[] of(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Returns the digest in the form of {@link NamedClient.Token}; empty if the text is none. */
    public static Optional<String> parse(String text) {
        return Optional.of(text.strip().toLowerCase(Locale.ROOT)).filter(digest -> digest.matches("[0-9a-f]{64}"));
    }
}
