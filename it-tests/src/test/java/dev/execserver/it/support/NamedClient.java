package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Entries of a file of clients. */
public final class NamedClient {
    private NamedClient() {}

    public static String sha256(String token) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns the entry of a client whose token is {@code NAME-token}.
     *
     * @param more further members, each with a comma before it
     */
    public static String entry(String name, String more) {
        return "{\"name\":\"%s\",\"tokens\":[{\"sha256\":\"%s\"}]%s}".formatted(name, sha256(name + "-token"), more);
    }
}
