package dev.execserver.client.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trusts certificates of servers in addition to those that the JDK trusts by default. Stateless. */
public final class CertificateTrust {

    private CertificateTrust() {}

    /**
     * Trusts only certificates that the authorities in this PEM file have signed.
     *
     * @throws IOException when the file cannot be read or holds no certificate
     */
    public static SSLContext ofFile(Path file) throws IOException {
        Collection<? extends Certificate> authorities;
        try (InputStream in = Files.newInputStream(file)) {
            authorities = CertificateFactory.getInstance("X.509").generateCertificates(in);
        } catch (CertificateException e) {
            throw new IOException("it holds something that is no certificate in PEM form: " + e.getMessage(), e);
        }
        if (authorities.isEmpty()) {
            throw new IOException("it holds no certificate in PEM form");
        }
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (Certificate authority : authorities) {
                trusted.setCertificateEntry("authority-" + number++, authority);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS and a key store", e);
        }
    }

    /** Returns the message of a failure. If the server's certificate is not trusted, it names the remedy. */
    public static String explain(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertPathBuilderException) {
                return "its certificate was signed by no authority that is trusted here; name the PEM file of that "
                        + "authority (ClientOptions.caFile, on the command line --ca-file)";
            }
        }
        return String.valueOf(failure.getMessage());
    }
}
