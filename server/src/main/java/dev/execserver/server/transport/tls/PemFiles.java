package dev.execserver.server.transport.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Makes the server side of TLS from a certificate chain and a private key in PEM files. It reads them at start, when
 * blocking file access is fine, so that errors show then and not at the first handshake.
 */
public final class PemFiles {
    /** Name of certificate and key in a key manager. */
    static final String ALIAS = "server";

    private PemFiles() {}

    /** @throws TlsConfigurationException with a text that names the file */
    public static SSLContext serverContext(Path certificates, Path key) {
        return serverContext(serverKeys(certificates, key), Optional.empty());
    }

    /** Makes a context that uses these keys and authorities of clients, also after they were replaced. */
    public static SSLContext serverContext(X509ExtendedKeyManager keys, Optional<ReplaceableTrust> clients) {
        clients.ifPresent(_ -> ClientCertificateContext.refuseResumption());
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            // Without authorities of ours those of the JDK would count, if a client were asked for a certificate.
            context.init(
                    new KeyManager[] {keys},
                    clients.map(trust -> new TrustManager[] {trust}).orElse(null),
                    null);
            return clients.isPresent() ? new ClientCertificateContext(context) : context;
        } catch (GeneralSecurityException e) {
            throw new TlsConfigurationException("TLS cannot be set up", e);
        }
    }

    /** @throws TlsConfigurationException with a text that names the file */
    public static X509ExtendedKeyManager serverKeys(Path certificates, Path key) {
        List<X509Certificate> chain = PemCertificates.read(certificates);
        PrivateKey privateKey = PemKey.read(key);
        if (!belongTogether(chain.getFirst().getPublicKey(), privateKey)) {
            throw new TlsConfigurationException(
                    "TLS key " + key + " does not belong to the first certificate of " + certificates);
        }
        try {
            char[] noPassword = {};
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, noPassword);
            store.setKeyEntry(ALIAS, privateKey, noPassword, chain.toArray(X509Certificate[]::new));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, noPassword);
            return Arrays.stream(keys.getKeyManagers())
                    .filter(X509ExtendedKeyManager.class::isInstance)
                    .map(X509ExtendedKeyManager.class::cast)
                    .findFirst()
                    .orElseThrow(() -> new GeneralSecurityException("no key manager for X.509"));
        } catch (GeneralSecurityException | IOException e) {
            throw new TlsConfigurationException("TLS cannot be set up with " + certificates + " and " + key, e);
        }
    }

    private static boolean belongTogether(PublicKey publicKey, PrivateKey privateKey) {
        String algorithm = switch (privateKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> privateKey.getAlgorithm();
        };
        try {
            byte[] sample = {1, 2, 3};
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(privateKey);
            signer.update(sample);
            byte[] signature = signer.sign();
            signer.initVerify(publicKey);
            signer.update(sample);
            return signer.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
