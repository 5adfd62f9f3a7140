package dev.execserver.server.transport.auth;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Key that signed tokens are verified with. The kind of the key decides the only algorithm that it is used for, so that no
 * token can make a public key a shared one. Immutable; each verification has objects of its own.
 *
 * @param algorithm as in the {@code alg} of a token (RFC 7518 section 3.1, RFC 8037 section 3.1)
 * @param id the {@code kid} of the key
 */
record TokenKey(Key key, String algorithm, Optional<String> id) {
    static final String MAC = "HmacSHA256";

    /** Least length of a shared key in bytes, RFC 7518 section 3.2. */
    static final int MIN_SECRET_BYTES = 32;

    /** Least length of an RSA modulus in bits, RFC 7518 section 3.3. */
    private static final int MIN_RSA_BITS = 2048;

    private static final int P256_BITS = 256;
    private static final String P256 = "1.2.840.10045.3.1.7";
    private static final String ED25519 = "Ed25519";

    /** @throws GeneralSecurityException if the key is too short */
    static TokenKey shared(byte[] secret, Optional<String> id) throws GeneralSecurityException {
        if (secret.length < MIN_SECRET_BYTES) {
            throw new GeneralSecurityException("a shared key has at least " + MIN_SECRET_BYTES + " bytes");
        }
        return new TokenKey(new SecretKeySpec(secret, MAC), "HS256", id);
    }

    /** @throws GeneralSecurityException if no algorithm of ours takes the key */
    static TokenKey of(PublicKey key, Optional<String> id) throws GeneralSecurityException {
        return switch (key) {
            case RSAPublicKey rsa when rsa.getModulus().bitLength() >= MIN_RSA_BITS -> new TokenKey(key, "RS256", id);
            case RSAPublicKey _ ->
                throw new GeneralSecurityException("an RSA key has at least " + MIN_RSA_BITS + " bits");
            case ECPublicKey curve when p256(curve) -> new TokenKey(key, "ES256", id);
            case EdECPublicKey edwards
            when edwards.getParams().getName().equals(ED25519) -> new TokenKey(key, "EdDSA", id);
            default ->
                throw new GeneralSecurityException(
                        "only RSA, P-256 and Ed25519 keys are used, not " + key.getAlgorithm());
        };
    }

    private static boolean p256(ECPublicKey key) {
        return key.getParams().getCurve().getField().getFieldSize() == P256_BITS
                && key.getParams().toString().contains(P256);
    }

    /** Returns true if the key may have signed a token with this header. */
    boolean suits(String wanted, Optional<String> kid) {
        return algorithm.equals(wanted) && (kid.isEmpty() || id.isEmpty() || id.equals(kid));
    }

    boolean signed(byte[] content, byte[] signature) {
        try {
            return switch (key) {
                case SecretKey secret -> MessageDigest.isEqual(mac(secret, content), signature);
                case PublicKey known -> verified(known, content, signature);
                default -> throw new IllegalStateException("a key is shared or public");
            };
        } catch (SignatureException e) {
            return false; // it is not even the encoding of one
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }

    private static byte[] mac(SecretKey secret, byte[] content) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(MAC);
        mac.init(secret);
        return mac.doFinal(content);
    }

    private boolean verified(PublicKey known, byte[] content, byte[] signature) throws GeneralSecurityException {
        Signature verifier = Signature.getInstance(
                switch (algorithm) {
                    case "RS256" -> "SHA256withRSA";
                    case "ES256" -> "SHA256withECDSAinP1363Format"; // RFC 7518 section 3.4
                    default -> ED25519;
                });
        verifier.initVerify(known);
        verifier.update(content);
        return verifier.verify(signature);
    }

    @Override
    public String toString() {
        return "TokenKey[hidden, " + algorithm + ", id=" + id + "]";
    }
}
