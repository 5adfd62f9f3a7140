package dev.execserver.server.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PemFilesTest {
    @TempDir
    static Path folder;

    private static SelfSigned ec;
    private static byte[] rsa;

    @BeforeAll
    static void make() throws Exception {
        ec = SelfSigned.shared();
        rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate().getEncoded();
    }

    @Test
    void pkcs8KeysAreRead() throws Exception {
        assertThat(PemKey.read(ec.pem("rsa.pem", "PRIVATE KEY", rsa)).getAlgorithm())
                .isEqualTo("RSA");
        assertThat(PemFiles.serverContext(ec.certificateFile(), ec.keyFile())).isNotNull();
    }

    @Test
    void pkcs1KeysAreRead() throws Exception {
        PrivateKey key = PemKey.read(ec.pem("pkcs1.pem", "RSA PRIVATE KEY", SelfSigned.oldForm(rsa)));
        assertThat(key.getEncoded()).isEqualTo(rsa);
    }

    @Test
    void sec1KeysThatNameTheirCurveAreRead() throws Exception {
        // as openssl ecparam -genkey writes it: version, private key, [0] curve; P-384 is the choice of the JDK's
        // keytool
        byte[] number = ((ECPrivateKey) PemKey.read(ec.keyFile())).getS().toByteArray();
        byte[] fixed = new byte[48];
        int skip = Math.max(0, number.length - 48);
        System.arraycopy(number, skip, fixed, 48 - (number.length - skip), number.length - skip);
        byte[] curve = {(byte) 0xA0, 0x07, 0x06, 0x05, 0x2B, (byte) 0x81, 0x04, 0x00, 0x22};
        byte[] sec1 = new byte[2 + 3 + 2 + 48 + curve.length];
        byte[] head = {0x30, (byte) (sec1.length - 2), 0x02, 0x01, 0x01, 0x04, 48};
        System.arraycopy(head, 0, sec1, 0, head.length);
        System.arraycopy(fixed, 0, sec1, head.length, 48);
        System.arraycopy(curve, 0, sec1, head.length + 48, curve.length);
        Path file = ec.pem("sec1.pem", "EC PRIVATE KEY", sec1);
        assertThat(PemFiles.serverContext(ec.certificateFile(), file)).isNotNull();
    }

    @Test
    void failuresNameTheFile() throws Exception {
        Path certificate = ec.certificateFile();
        Path key = ec.keyFile();
        Path missing = folder.resolve("missing.pem");
        Path empty = Files.writeString(folder.resolve("empty.pem"), "nothing\n");
        Path encrypted = ec.pem("encrypted.pem", "ENCRYPTED PRIVATE KEY", new byte[10]);
        Path broken = ec.pem("broken.pem", "PRIVATE KEY", new byte[10]);
        Path foreign = ec.pem("foreign.pem", "PRIVATE KEY", rsa);
        assertThatThrownBy(() -> PemFiles.serverContext(missing, key))
                .hasMessage("failed to read TLS certificate " + missing + ": No such file or directory (os error 2)");
        assertThatThrownBy(() -> PemFiles.serverContext(certificate, missing))
                .hasMessage("failed to read TLS key " + missing + ": No such file or directory (os error 2)");
        assertThatThrownBy(() -> PemFiles.serverContext(empty, key))
                .hasMessage("TLS certificate " + empty + " holds no CERTIFICATE block");
        assertThatThrownBy(() -> PemFiles.serverContext(certificate, empty))
                .hasMessage("TLS key " + empty + " holds no PRIVATE KEY block");
        assertThatThrownBy(() -> PemFiles.serverContext(certificate, encrypted))
                .hasMessageContaining(encrypted + " is encrypted");
        assertThatThrownBy(() -> PemFiles.serverContext(certificate, broken)).hasMessageContaining(broken.toString());
        assertThatThrownBy(() -> PemFiles.serverContext(certificate, foreign))
                .hasMessageContaining("does not belong to the first certificate of " + certificate);
    }
}
