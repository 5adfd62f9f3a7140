package dev.execserver.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Certificate authority of a test, made by openssl(1).
 *
 * @param folder of its files, of its own
 */
public record Authority(Path folder, String name) {
    private static final char[] PASSWORD = "password".toCharArray();

    /** Makes an authority. */
    public static Authority make(Path folder, String name) throws IOException, InterruptedException {
        Authority made = new Authority(Files.createDirectories(folder.resolve(name)), name);
        made.openssl(List.of(
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=" + name,
                "-keyout",
                "ca.key",
                "-out",
                "ca.pem"));
        return made;
    }

    /** File with the certificate of the authority. */
    public Path certificate() {
        return folder.resolve("ca.pem");
    }

    /**
     * Signs a certificate of a client.
     *
     * @param subject in the form of openssl: {@code /O=Example/CN=ci}
     * @param names alternative names in the form of openssl: {@code DNS:ci.example.org}; empty for none
     * @return context of a client that shows it and trusts the server
     */
    public SSLContext client(String subject, String names, SelfSigned server)
            throws IOException, InterruptedException, GeneralSecurityException {
        List<String> request = new ArrayList<>(List.of(
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
                "-CA",
                "ca.pem",
                "-CAkey",
                "ca.key",
                "-subj",
                subject,
                "-keyout",
                "client.key",
                "-out",
                "client.pem",
                "-addext",
                "basicConstraints=critical,CA:FALSE"));
        if (!names.isEmpty()) {
            request.addAll(List.of("-addext", "subjectAltName=" + names));
        }
        openssl(request);
        openssl(List.of(
                "pkcs12",
                "-export",
                "-inkey",
                "client.key",
                "-in",
                "client.pem",
                "-out",
                "client.p12",
                "-passout",
                "pass:" + new String(PASSWORD)));
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve("client.p12"))) {
            store.load(in, PASSWORD);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trusting(server.certificate()).getTrustManagers(), null);
        return context;
    }

    private static TrustManagerFactory trusting(X509Certificate certificate)
            throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("server", certificate);
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        return managers;
    }

    private void openssl(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(arguments);
        Path log = folder.resolve("openssl.log");
        Process openssl = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(openssl.waitFor()).as(() -> read(log)).isZero();
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
