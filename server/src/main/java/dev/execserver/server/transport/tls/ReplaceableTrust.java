package dev.execserver.server.transport.tls;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Authorities that may sign the certificates of clients. They can be replaced; handshakes that begin then use the new ones.
 * Any thread; the state is one volatile reference.
 */
public final class ReplaceableTrust extends X509ExtendedTrustManager {
    private record Trusted(List<X509Certificate> authorities, X509ExtendedTrustManager manager) {}

    private volatile Trusted trusted;

    /** @throws TlsConfigurationException with a text that names the file */
    public ReplaceableTrust(Path authorities) {
        trusted = read(authorities);
    }

    /**
     * Reads the file again. One thread at a time.
     *
     * @return false if the authorities are the same as before
     * @throws TlsConfigurationException as the constructor; those of before stay
     */
    public boolean replace(Path authorities) {
        Trusted next = read(authorities);
        if (next.authorities().equals(trusted.authorities())) {
            return false;
        }
        trusted = next;
        return true;
    }

    private static Trusted read(Path file) {
        List<X509Certificate> authorities = PemCertificates.read(file);
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry("authority-" + i, authorities.get(i));
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            return new Trusted(
                    authorities,
                    Arrays.stream(factory.getTrustManagers())
                            .filter(X509ExtendedTrustManager.class::isInstance)
                            .map(X509ExtendedTrustManager.class::cast)
                            .findFirst()
                            .orElseThrow(() -> new GeneralSecurityException("no trust manager for X.509")));
        } catch (GeneralSecurityException | IOException e) {
            throw new TlsConfigurationException("the authorities of " + file + " cannot be used", e);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        trusted.manager().checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        trusted.manager().checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        trusted.manager().checkClientTrusted(chain, type);
    }

    /** Refuses: this is no TLS client. */
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        checkServerTrusted(chain, type);
    }

    /** Refuses: this is no TLS client. */
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        checkServerTrusted(chain, type);
    }

    /** Refuses: this is no TLS client. */
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw new CertificateException("this end of the connection is the server");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trusted.manager().getAcceptedIssuers();
    }
}
