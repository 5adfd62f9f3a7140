package dev.execserver.server.transport.auth;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads public keys and certificates in PEM (RFC 7468). Stateless. */
final class PemPublicKeys {
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");

    private PemPublicKeys() {}

    /** @throws GeneralSecurityException if a block is something else, or cannot be read */
    static List<TokenKey> read(String text) throws GeneralSecurityException {
        List<TokenKey> keys = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(text);
        while (blocks.find()) {
            byte[] der = Base64.getMimeDecoder().decode(blocks.group(2));
            keys.add(TokenKey.of(
                    switch (blocks.group(1)) {
                        case "PUBLIC KEY" -> publicKey(der);
                        case "CERTIFICATE" ->
                            CertificateFactory.getInstance("X.509")
                                    .generateCertificate(new ByteArrayInputStream(der))
                                    .getPublicKey();
                        default ->
                            throw new GeneralSecurityException("it holds a " + blocks.group(1)
                                    + "; give the server the PUBLIC KEY or CERTIFICATE only");
                    },
                    Optional.empty()));
        }
        return keys;
    }

    private static PublicKey publicKey(byte[] der) throws GeneralSecurityException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(der));
            } catch (InvalidKeySpecException e) {
                // it is of another algorithm
            }
        }
        throw new GeneralSecurityException("a PUBLIC KEY is not of RSA, P-256 or Ed25519");
    }
}
