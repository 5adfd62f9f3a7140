package dev.execserver.server.transport.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of signed tokens: found by the content of their file, and each used for its own algorithm only. */
class TokenKeysTest {
    private static final Optional<String> GOOD = Optional.empty();
    private static final Optional<String> INVALID = Optional.of("invalid websocket jwt");
    private static final String CLAIMS = "{\"exp\":1800000100,\"sub\":\"alice\"}";

    private static KeyPair rsa;
    private static KeyPair curve;
    private static KeyPair edwards;

    @TempDir
    private Path folder;

    @BeforeAll
    static void make() throws GeneralSecurityException {
        rsa = pair("RSA", 2048);
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        curve = generator.generateKeyPair();
        edwards = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    }

    private static KeyPair pair(String algorithm, int bits) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(bits);
        return generator.generateKeyPair();
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String fixed(BigInteger number, int length) {
        byte[] bytes = number.toByteArray();
        byte[] padded = new byte[length];
        int used = Math.min(length, bytes.length);
        System.arraycopy(bytes, bytes.length - used, padded, length - used, used);
        return encode(padded);
    }

    private static String jwk(PublicKey key, String more) {
        return switch (key) {
            case RSAPublicKey known ->
                "{\"kty\":\"RSA\",\"n\":\"%s\",\"e\":\"%s\"%s}"
                        .formatted(
                                encode(known.getModulus().toByteArray()),
                                encode(known.getPublicExponent().toByteArray()),
                                more);
            case ECPublicKey known ->
                "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"%s}"
                        .formatted(
                                fixed(known.getW().getAffineX(), 32),
                                fixed(known.getW().getAffineY(), 32),
                                more);
            default -> {
                byte[] der = key.getEncoded();
                yield "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"%s\"%s}"
                        .formatted(encode(Arrays.copyOfRange(der, der.length - 32, der.length)), more);
            }
        };
    }

    private static String set(String... keys) {
        return "{\"keys\":[" + String.join(",", keys) + "]}";
    }

    private static String pem(PublicKey key) {
        return "-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder().encodeToString(key.getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
    }

    private static String token(String header, KeyPair pair) throws GeneralSecurityException {
        String content = encode(header.getBytes(UTF_8)) + "." + encode(CLAIMS.getBytes(UTF_8));
        Signature signer = Signature.getInstance(
                switch (pair.getPrivate().getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSAinP1363Format";
                    default -> "Ed25519";
                });
        signer.initSign(pair.getPrivate());
        signer.update(content.getBytes(UTF_8));
        return content + "." + encode(signer.sign());
    }

    private static Optional<String> refusal(String keys, String token) {
        SignedBearer bearer = new SignedBearer(
                keys.getBytes(UTF_8),
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO,
                Clock.fixed(Instant.ofEpochSecond(1800000000), ZoneOffset.UTC));
        return bearer.check(List.of("Bearer " + token)) instanceof Admission.Refused(String why)
                ? Optional.of(why)
                : Optional.empty();
    }

    @Test
    void eachKindOfKeyVerifiesTokensOfItsAlgorithm() throws GeneralSecurityException {
        String all = set(jwk(rsa.getPublic(), ""), jwk(curve.getPublic(), ""), jwk(edwards.getPublic(), ""));
        assertThat(refusal(all, token("{\"alg\":\"RS256\"}", rsa))).isEqualTo(GOOD);
        assertThat(refusal(all, token("{\"alg\":\"ES256\"}", curve))).isEqualTo(GOOD);
        assertThat(refusal(all, token("{\"alg\":\"EdDSA\"}", edwards))).isEqualTo(GOOD);
        assertThat(refusal(pem(rsa.getPublic()), token("{\"alg\":\"RS256\"}", rsa)))
                .isEqualTo(GOOD);
        assertThat(refusal(pem(curve.getPublic()), token("{\"alg\":\"ES256\"}", curve)))
                .isEqualTo(GOOD);
        assertThat(refusal(pem(edwards.getPublic()), token("{\"alg\":\"EdDSA\"}", edwards)))
                .isEqualTo(GOOD);
        assertThat(refusal(jwk(edwards.getPublic(), ""), token("{\"alg\":\"EdDSA\"}", edwards)))
                .as("a key that stands alone")
                .isEqualTo(GOOD);
    }

    @Test
    void aPublicKeyIsNeverASharedOne() throws GeneralSecurityException {
        String file = pem(rsa.getPublic());
        String content = encode("{\"alg\":\"HS256\"}".getBytes(UTF_8)) + "." + encode(CLAIMS.getBytes(UTF_8));
        for (String secret : List.of(file, file.strip(), pem(rsa.getPublic()).replace("\n", ""))) {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
            String forged = content + "." + encode(mac.doFinal(content.getBytes(UTF_8)));
            assertThat(refusal(file, forged)).isEqualTo(INVALID);
        }
    }

    @Test
    void aPublicKeyInAFormThatIsNotReadIsNoSharedOne() {
        byte[] der = rsa.getPublic().getEncoded();
        byte[] shortDer = edwards.getPublic().getEncoded();
        String set = set(jwk(rsa.getPublic(), ""));
        for (byte[] file : List.of(
                der,
                shortDer,
                ("[" + jwk(rsa.getPublic(), "") + "]").getBytes(UTF_8),
                ("ssh-ed25519 " + encode(shortDer)).getBytes(UTF_8),
                ("\ufeff" + set).getBytes(UTF_8),
                ("\ufeff" + set).getBytes(StandardCharsets.UTF_16LE),
                ("\ufeff" + set).getBytes(StandardCharsets.UTF_16BE))) {
            assertThatThrownBy(() -> TokenKeys.of(file, "file"))
                    .isInstanceOf(AuthConfigurationException.class)
                    .hasMessageContaining("it looks like a public key");
        }
    }

    @Test
    void theAlgorithmOfTheTokenMustBeThatOfTheKey() throws GeneralSecurityException {
        String all = set(jwk(rsa.getPublic(), ""), jwk(edwards.getPublic(), ""));
        for (String algorithm : List.of("none", "None", "NONE", "", "RS512", "PS256", "ES256", "EdDSA", "HS256")) {
            String header = "{\"alg\":\"" + algorithm + "\"}";
            assertThat(refusal(all, token(header, rsa))).as(algorithm).isEqualTo(INVALID);
        }
        String unsigned = encode("{\"alg\":\"none\"}".getBytes(UTF_8)) + "." + encode(CLAIMS.getBytes(UTF_8)) + ".";
        assertThat(refusal(all, unsigned)).isEqualTo(INVALID);
        assertThat(refusal(
                        set(jwk(rsa.getPublic(), ",\"use\":\"enc\""), jwk(edwards.getPublic(), "")),
                        token("{\"alg\":\"RS256\"}", rsa)))
                .isEqualTo(INVALID);
    }

    @Test
    void aTokenThatNamesItsKeyIsVerifiedWithThatKeyOnly() throws GeneralSecurityException {
        KeyPair next = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        String both = set(jwk(edwards.getPublic(), ",\"kid\":\"a\""), jwk(next.getPublic(), ",\"kid\":\"b\""));
        assertThat(refusal(both, token("{\"alg\":\"EdDSA\",\"kid\":\"a\"}", edwards)))
                .isEqualTo(GOOD);
        assertThat(refusal(both, token("{\"alg\":\"EdDSA\",\"kid\":\"b\"}", next)))
                .isEqualTo(GOOD);
        assertThat(refusal(both, token("{\"alg\":\"EdDSA\"}", next))).isEqualTo(GOOD);
        assertThat(refusal(both, token("{\"alg\":\"EdDSA\",\"kid\":\"a\"}", next)))
                .isEqualTo(INVALID);
        assertThat(refusal(both, token("{\"alg\":\"EdDSA\",\"kid\":\"../../etc/passwd\"}", next)))
                .isEqualTo(INVALID);
        assertThat(refusal(both, token("{\"alg\":\"EdDSA\",\"kid\":7}", next))).isEqualTo(INVALID);
        assertThat(refusal(both, token("{\"alg\":\"EdDSA\",\"kid\":\"a\",\"kid\":\"b\"}", next)))
                .isEqualTo(INVALID);
    }

    @Test
    void brokenSignaturesCriticalHeadersAndHugeTokensAreRefused() throws GeneralSecurityException {
        String keys = set(jwk(curve.getPublic(), ""));
        String good = token("{\"alg\":\"ES256\"}", curve);
        String signed = good.substring(0, good.lastIndexOf('.') + 1);
        assertThat(refusal(keys, good)).isEqualTo(GOOD);
        for (byte[] signature : List.of(new byte[0], new byte[64], new byte[63], new byte[65], new byte[1000])) {
            assertThat(refusal(keys, signed + encode(signature))).isEqualTo(INVALID);
        }
        assertThat(refusal(keys, token("{\"alg\":\"ES256\",\"crit\":[\"b64\"],\"b64\":false}", curve)))
                .isEqualTo(INVALID);
        assertThat(refusal(keys, token("{\"alg\":\"ES256\",\"jwk\":" + jwk(edwards.getPublic(), "") + "}", edwards)))
                .as("the key of a token proves nothing")
                .isEqualTo(INVALID);
        assertThat(refusal(keys, token("{\"alg\":\"ES256\",\"x\":\"" + "x".repeat(20_000) + "\"}", curve)))
                .isEqualTo(INVALID);
    }

    @Test
    void aFileWithUnusableKeysIsRefusedWithoutAnyPartOfIt() throws Exception {
        String small = jwk(pair("RSA", 1024).getPublic(), "");
        String beside = "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"}"
                .formatted(encode(new byte[32]), encode(new byte[32]));
        assertThat(fault(small)).contains("an RSA key has at least 2048 bits");
        assertThat(fault(set(beside))).contains("no point of its curve");
        assertThat(fault(set(jwk(edwards.getPublic(), ",\"d\":\"private\"")))).contains("private key");
        assertThat(fault("{\"about\":\"no key at all stands in here\",\"keys\":[]}"))
                .contains("hold no key");
        assertThat(fault("{\"about\":\"it ends in the middle\",\"keys\":[")).contains("no JSON");
        assertThat(fault(pem(rsa.getPublic()).replace("PUBLIC", "RSA PRIVATE"))).contains("RSA PRIVATE KEY");
        assertThat(fault("-----BEGIN PUBLIC KEY-----\nxxxxxxxx")).contains("hold no key");
        assertThat(fault(set("{\"kty\":\"oct\",\"k\":\"c2hvcnQ\"}"))).contains("at least 32 bytes");
    }

    private String fault(String content) throws Exception {
        Path file = Files.writeString(folder.resolve("keys"), content);
        StringBuilder message = new StringBuilder();
        assertThatThrownBy(() -> SignedBearer.fromFile(file, Optional.empty(), Optional.empty(), Duration.ZERO))
                .isInstanceOf(AuthConfigurationException.class)
                .satisfies(e -> message.append(e.getMessage()));
        for (String part : content.split("[\":,\n]")) {
            if (part.length() > 20 && !part.contains("KEY")) {
                assertThat(message).doesNotContain(part);
            }
        }
        return message.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"not json, and longer than 32 bytes for sure", "0 [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]"})
    void anythingElseIsASharedKey(String secret) throws GeneralSecurityException {
        String content = encode("{\"alg\":\"HS256\"}".getBytes(UTF_8)) + "." + encode(CLAIMS.getBytes(UTF_8));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        assertThat(refusal(secret, content + "." + encode(mac.doFinal(content.getBytes(UTF_8)))))
                .isEqualTo(GOOD);
    }
}
