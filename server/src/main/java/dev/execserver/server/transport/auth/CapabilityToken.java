package dev.execserver.server.transport.auth;

import dev.execserver.cli.secret.SecretFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Lets every client connect that knows the token. Only the token's SHA-256 is kept. Digests are compared in constant
 * time, so that the time of a refusal tells nothing about the token.
 */
public final class CapabilityToken implements Authenticator {
    private final byte[] digest;

    private CapabilityToken(byte[] digest) {
        this.digest = digest;
    }

    /** Reads the token from a file: printable ASCII, without the white space around it. */
    public static CapabilityToken fromFile(Path path) {
        SecretFile file = SecretFiles.read(path);
        file.notAToken().ifPresent(why -> {
            throw new AuthConfigurationException("websocket auth secret " + path + " " + why);
        });
        return new CapabilityToken(sha256(file.token()));
    }

    /** Takes the SHA-256 of the token, so that the token itself is unknown to this server. */
    public static CapabilityToken fromSha256(String hex) {
        String text = hex.strip().toLowerCase(Locale.ROOT);
        if (!text.matches("[0-9a-f]{64}")) {
            throw new AuthConfigurationException("--ws-token-sha256 must be a 64-character hex SHA-256 digest");
        }
        return new CapabilityToken(HexFormat.of().parseHex(text));
    }

    @Override
    public Admission check(List<String> authorization) {
        return BearerHeader.check(
                authorization,
                token -> MessageDigest.isEqual(digest, sha256(token))
                        ? Admission.ANYBODY
                        : new Admission.Refused("invalid websocket bearer token"));
    }

    /** Returns true for the same token. */
    @Override
    public boolean equals(Object other) {
        return other instanceof CapabilityToken token && MessageDigest.isEqual(digest, token.digest);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digest);
    }

    @Override
    public String toString() {
        return "CapabilityToken[hidden]";
    }

    private static byte[] sha256(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
