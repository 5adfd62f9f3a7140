package dev.execserver.server.transport.auth;

import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.RpcException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;

/**
 * Keys of one file. Its content says what it is: a JWK set, PEM, or else a shared key. What looks like one of the first two
 * is never a shared key, because a public key with a mistake in it would be a secret that everybody knows. Immutable.
 */
final class TokenKeys {
    /** Largest number of keys; a token without {@code kid} may be tried with all of them. */
    static final int MAX_KEYS = 100;

    private static final String PEM = "-----BEGIN";

    private final List<TokenKey> keys;

    private TokenKeys(List<TokenKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /**
     * Reads keys.
     *
     * @param name of the file, for messages, which contain nothing of the keys
     * @throws AuthConfigurationException if there are none
     */
    static TokenKeys of(byte[] content, String name) {
        try {
            List<TokenKey> read = read(content);
            if (read.isEmpty()) {
                throw new AuthConfigurationException(
                        "signed websocket bearer keys " + name + " hold no key for RS256, ES256, EdDSA or HS256");
            }
            if (read.size() > MAX_KEYS) {
                throw new AuthConfigurationException(
                        "signed websocket bearer keys " + name + " are more than " + MAX_KEYS);
            }
            return new TokenKeys(read);
        } catch (MalformedMessageException e) {
            throw new AuthConfigurationException("signed websocket bearer keys " + name + " are no JSON");
        } catch (RpcException | GeneralSecurityException | IllegalArgumentException e) {
            throw new AuthConfigurationException(
                    "signed websocket bearer keys " + name + " cannot be used: " + reason(e));
        }
    }

    private static String reason(Exception e) {
        return switch (e) {
            case RpcException named -> named.message();
            case IllegalArgumentException _ -> "a value is not base64";
            default -> e.getMessage();
        };
    }

    private static List<TokenKey> read(byte[] content) throws MalformedMessageException, GeneralSecurityException {
        if (content.length > 0 && content[0] == '{') {
            return JwkSet.read(content);
        }
        String text = new String(content, StandardCharsets.ISO_8859_1);
        return text.contains(PEM) ? PemPublicKeys.read(text) : List.of(TokenKey.shared(content, Optional.empty()));
    }

    /**
     * Returns true if one of the keys has signed the content.
     *
     * @param algorithm that the token names
     * @param id of the key that the token names
     */
    boolean signed(String algorithm, Optional<String> id, byte[] content, byte[] signature) {
        return keys.stream().filter(key -> key.suits(algorithm, id)).anyMatch(key -> key.signed(content, signature));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TokenKeys same && keys.equals(same.keys);
    }

    @Override
    public int hashCode() {
        return keys.hashCode();
    }

    @Override
    public String toString() {
        return "TokenKeys[hidden]";
    }
}
