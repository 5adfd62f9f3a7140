package dev.execserver.server.transport.auth;

import dev.execserver.cli.secret.SecretFile;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

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
        return new CapabilityToken(TokenDigests.of(file.token()));
    }

    /** Takes the SHA-256 of the token, so that the token itself is unknown to this server. */
    public static CapabilityToken fromSha256(String hex) {
        return TokenDigests.parse(hex)
                .map(text -> new CapabilityToken(HexFormat.of().parseHex(text)))
                .orElseThrow(() ->
                        new AuthConfigurationException("--ws-token-sha256 must be a 64-character hex SHA-256 digest"));
    }

    @Override
    public Admission check(List<String> authorization) {
        return BearerHeader.check(
                authorization,
                token -> MessageDigest.isEqual(digest, TokenDigests.of(token))
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
}
