package dev.execserver.server.transport.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** Certificate for localhost, made by the keytool of the running JDK. */
public record SelfSigned(Path folder, Certificate certificate, byte[] pkcs8) {
    private static SelfSigned shared;

    /** Returns an elliptic-curve key that all tests share, because starting the tool takes a while. */
    public static synchronized SelfSigned shared() throws IOException, InterruptedException, GeneralSecurityException {
        if (shared == null) {
            Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target", "tls")), "self-signed");
            shared = make(folder.toAbsolutePath());
        }
        return shared;
    }

    private static SelfSigned make(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-J-XX:TieredStopAtLevel=1",
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "password",
                        "-validity",
                        "2")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        if (!keytool.waitFor(30, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException(Files.readString(folder.resolve("keytool.log")));
        }
        char[] password = "password".toCharArray();
        KeyStore keys = KeyStore.getInstance(store.toFile(), password);
        Key key = keys.getKey("a", password);
        return new SelfSigned(folder, keys.getCertificate("a"), key.getEncoded());
    }

    public Path certificateFile() throws IOException, GeneralSecurityException {
        return pem("cert.pem", "CERTIFICATE", certificate.getEncoded());
    }

    public Path keyFile() throws IOException {
        return pem("key.pem", "PRIVATE KEY", pkcs8);
    }

    /**
     * Returns the key in the older form of its algorithm, which is the content of the octet string at the end of
     * PKCS#8.
     */
    static byte[] oldForm(byte[] pkcs8) {
        int at = content(pkcs8, 0); // PrivateKeyInfo
        at = end(pkcs8, at); // version
        at = end(pkcs8, at); // algorithm
        return Arrays.copyOfRange(pkcs8, content(pkcs8, at), end(pkcs8, at));
    }

    Path pem(String name, String label, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(
                folder.resolve(name),
                "some text before\n-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n");
    }

    private static int content(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        return first < 0x80 ? at + 2 : at + 2 + (first & 0x7F);
    }

    private static int end(byte[] der, int at) {
        int content = content(der, at);
        int length = der[at + 1] & 0x7F;
        if (content > at + 2) {
            length = 0;
            for (int i = at + 2; i < content; i++) {
                length = length << 8 | der[i] & 0xFF;
            }
        }
        return content + length;
    }
}
