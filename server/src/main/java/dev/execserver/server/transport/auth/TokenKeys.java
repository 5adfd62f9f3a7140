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

    /** Byte order marks of UTF-8 and UTF-16, a JSON array, and the names of keys of ssh. */
    private static final List<String> FORMS_OF_PUBLIC_KEYS =
            List.of("\u00ef\u00bb\u00bf", "\u00ff\u00fe", "\u00fe\u00ff", "[", "ssh-", "ecdsa-");

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
        if (publicKeyInDisguise(content, text)) {
            throw new GeneralSecurityException(
                    "it looks like a public key in a form that is not read; give a JWK set or PEM, in UTF-8");
        }
        return text.contains(PEM) ? PemPublicKeys.read(text) : List.of(TokenKey.shared(content, Optional.empty()));
    }

    /** Returns true for forms of public keys that must not be taken for a shared key, which everybody would know then. */
    private static boolean publicKeyInDisguise(byte[] content, String text) {
        return FORMS_OF_PUBLIC_KEYS.stream().anyMatch(text::startsWith) || der(content);
    }

    /** Returns true for one DER sequence (X.690 section 8.1) that fills the file. */
    private static boolean der(byte[] content) {
        if (content.length < 2 || content[0] != 0x30) {
            return false;
        }
        int first = content[1] & 0xff;
        if (first < 0x80) {
            return first == content.length - 2;
        }
        int bytes = first & 0x7f;
        if (bytes == 0 || bytes > 3 || content.length < 2 + bytes) {
            return false;
        }
        int length = 0;
        for (int i = 0; i < bytes; i++) {
            length = length << 8 | content[2 + i] & 0xff;
        }
        return length == content.length - 2 - bytes;
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
