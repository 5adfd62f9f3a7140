package dev.execserver.server.transport.tls;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.List;

/**
 * Reads a private key: PKCS#8 (RFC 5958), or the older forms for RSA (PKCS#1, RFC 8017 A.1.2) and elliptic curves (SEC
 * 1, RFC 5915). It puts the older forms into a PKCS#8 envelope, because the JDK reads only that.
 */
final class PemKey {
    /** AlgorithmIdentifier of rsaEncryption 1.2.840.113549.1.1.1 with NULL parameters. */
    private static final byte[] RSA = {
        0x30, 0x0D, 0x06, 0x09, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00
    };
    /** Object identifier of id-ecPublicKey 1.2.840.10045.2.1; the curve follows it. */
    private static final byte[] EC = {0x06, 0x07, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x02, 0x01};

    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    private static final int CURVE = 0xA0;

    private PemKey() {}

    static PrivateKey read(Path path) {
        for (PemBlock block : PemBlock.readAll(path, "key")) {
            if (block.encrypted() || block.label().equals("ENCRYPTED PRIVATE KEY")) {
                throw new TlsConfigurationException(
                        "TLS key " + path + " is encrypted; only keys without a password can be used");
            }
            switch (block.label()) {
                case "PRIVATE KEY":
                    return decode(path, block.content());
                case "RSA PRIVATE KEY":
                    return decode(path, envelope(RSA, block.content()));
                case "EC PRIVATE KEY":
                    return decode(path, envelope(der(SEQUENCE, EC, curve(path, block.content())), block.content()));
                default: // the same file may contain certificates and curve parameters
            }
        }
        throw new TlsConfigurationException("TLS key " + path + " holds no PRIVATE KEY block");
    }

    private static PrivateKey decode(Path path, byte[] pkcs8) {
        for (String algorithm : List.of("RSA", "EC", "EdDSA", "RSASSA-PSS")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException e) {
                continue; // a key of another algorithm
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
        throw new TlsConfigurationException("TLS key " + path + " is broken or of an unknown kind");
    }

    private static byte[] envelope(byte[] algorithm, byte[] key) {
        return der(SEQUENCE, VERSION_0, algorithm, der(OCTET_STRING, key));
    }

    /** Returns the named curve of an ECPrivateKey: SEQUENCE { version, OCTET STRING, [0] curve, ... }. */
    private static byte[] curve(Path path, byte[] sec1) {
        try {
            int at = contentOf(sec1, 0);
            at = endOf(sec1, at); // version
            at = endOf(sec1, at); // private key
            if ((sec1[at] & 0xFF) == CURVE) {
                return Arrays.copyOfRange(sec1, contentOf(sec1, at), endOf(sec1, at));
            }
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new TlsConfigurationException("TLS key " + path + " is broken", e);
        }
        throw new TlsConfigurationException("TLS key " + path + " does not name its curve");
    }

    private static int contentOf(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        return first < 0x80 ? at + 2 : at + 2 + (first & 0x7F);
    }

    private static int endOf(byte[] der, int at) {
        int content = contentOf(der, at);
        int length = der[at + 1] & 0x7F;
        if (content > at + 2) {
            length = 0;
            for (int i = at + 2; i < content; i++) {
                length = length << 8 | der[i] & 0xFF;
            }
        }
        return Math.addExact(content, length);
    }

    private static byte[] der(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 4);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
