package dev.execserver.server.transport.tls;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Reads a certificate chain, the server's own certificate first. */
final class PemCertificates {
    private PemCertificates() {}

    static List<X509Certificate> read(Path path) {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (PemBlock block : PemBlock.readAll(path, "certificate")) {
                if (block.label().equals("CERTIFICATE")) {
                    chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.content())));
                }
            }
        } catch (CertificateException e) {
            throw new TlsConfigurationException("TLS certificate " + path + " is broken: " + e.getMessage(), e);
        }
        if (chain.isEmpty()) {
            throw new TlsConfigurationException("TLS certificate " + path + " holds no CERTIFICATE block");
        }
        return List.copyOf(chain);
    }
}
