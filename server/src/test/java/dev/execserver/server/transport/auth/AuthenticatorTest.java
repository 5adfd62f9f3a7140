package dev.execserver.server.transport.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticatorTest {
    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    @TempDir
    Path folder;

    private Path file(String content) throws Exception {
        return Files.writeString(folder.resolve("secret"), content);
    }

    private static Optional<String> refusalOf(Authenticator authenticator, Optional<String> header) {
        return switch (authenticator.check(header.stream().toList())) {
            case Admission.Granted _ -> Optional.empty();
            case Admission.Refused(String why) -> Optional.of(why);
        };
    }

    @Test
    void withoutAuthenticationEverybodyMayConnect() {
        assertThat(refusalOf(Authenticator.NONE, Optional.empty())).isEmpty();
    }

    @Nested
    class Capability {
        @ParameterizedTest
        @ValueSource(strings = {"Bearer s3cret", "bearer s3cret", "BEARER  s3cret ", "bEaReR s3cret"})
        void rightTokenIsAccepted(String header) throws Exception {
            assertThat(refusalOf(CapabilityToken.fromFile(file(" \ns3cret\n")), Optional.of(header)))
                    .isEmpty();
        }

        @ParameterizedTest
        @CsvSource({
            "Bearer wrong, invalid websocket bearer token",
            "Bearer s3cre, invalid websocket bearer token",
            "Bearer S3CRET, invalid websocket bearer token",
            "Basic s3cret, invalid authorization header",
            "s3cret, invalid authorization header",
            "Bearer, invalid authorization header",
            "'', invalid authorization header"
        })
        void wrongTokenIsRefused(String header, String text) throws Exception {
            assertThat(refusalOf(CapabilityToken.fromFile(file("s3cret")), Optional.of(header)))
                    .contains(text);
        }

        @Test
        void missingTokenIsRefused() throws Exception {
            assertThat(refusalOf(CapabilityToken.fromFile(file("s3cret")), Optional.empty()))
                    .contains("missing websocket bearer token");
        }

        @Test
        void digestStandsForTheToken() {
            String abc = "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD";
            assertThat(refusalOf(CapabilityToken.fromSha256(abc), Optional.of("Bearer abc")))
                    .isEmpty();
            assertThat(refusalOf(CapabilityToken.fromSha256(abc), Optional.of("Bearer abd")))
                    .isPresent();
        }

        @Test
        void failuresAreSaidInWords() throws Exception {
            Path missing = folder.resolve("missing");
            assertThatThrownBy(() -> CapabilityToken.fromFile(missing))
                    .hasMessage("failed to read websocket auth secret " + missing
                            + ": No such file or directory (os error 2)");
            assertThatThrownBy(() -> CapabilityToken.fromFile(folder))
                    .hasMessage("failed to read websocket auth secret " + folder + ": Is a directory (os error 21)");
            Path empty = file(" \n");
            assertThatThrownBy(() -> CapabilityToken.fromFile(empty)).hasMessageContaining("must not be empty");
            assertThatThrownBy(() -> CapabilityToken.fromSha256("abc"))
                    .hasMessage("--ws-token-sha256 must be a 64-character hex SHA-256 digest");
        }

        @Test
        void c103_whatIsNoTokenIsRefusedAtTheStart() throws Exception {
            Map<byte[], String> faults = Map.of(
                    HexFormat.of().parseHex("8fa1b2c3d4e5f6978899aabb"), "byte 1 is not printable ASCII",
                    "p\u00e4ssword".getBytes(StandardCharsets.UTF_8), "byte 2 is not printable ASCII",
                    "p\u00e4x".getBytes(StandardCharsets.ISO_8859_1), "byte 2 is not printable ASCII",
                    "first\nsecond\n".getBytes(StandardCharsets.UTF_8), "a line break inside, at byte 6",
                    "two\twords".getBytes(StandardCharsets.UTF_8), "byte 4 is not printable ASCII",
                    "\ufeffs3cret".getBytes(StandardCharsets.UTF_8), "byte order mark",
                    "s3cret".getBytes(StandardCharsets.UTF_16), "byte 1 is not printable ASCII");
            Path file = folder.resolve("token");
            for (Map.Entry<byte[], String> fault : faults.entrySet()) {
                Files.write(file, fault.getKey());
                assertThatThrownBy(() -> CapabilityToken.fromFile(file))
                        .hasMessageStartingWith("websocket auth secret " + file + " ")
                        .hasMessageContaining(fault.getValue());
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"\u00ff\u00ff", "\ufffd\ufffd", "s3cret\u00ff", "s3cret\u0000"})
        void c103_whatIsNoAsciiNeverMatches(String token) throws Exception {
            String digest = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
            assertThat(refusalOf(CapabilityToken.fromSha256(digest), Optional.of("Bearer " + token)))
                    .contains("invalid authorization header");
        }

        @Test
        void twoHeadersAreRefused() throws Exception {
            assertThat(CapabilityToken.fromFile(file("s3cret")).check(List.of("Bearer s3cret", "Bearer s3cret")))
                    .isEqualTo(new Admission.Refused("more than one authorization header"));
        }

        @Test
        void nothingSecretIsShown() throws Exception {
            assertThat(CapabilityToken.fromFile(file("s3cret")).toString()).doesNotContain("s3cret");
        }
    }

    @Nested
    class Signed {
        private static final long NOW = 1_800_000_000L;
        private static final String HS256 = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";
        private static final String GOOD = "{\"exp\":1800000100}";

        private Optional<String> refusal(String token) {
            return refusalOf(with(Optional.empty(), Optional.empty()), Optional.of("Bearer " + token));
        }

        private static SignedBearer with(Optional<String> issuer, Optional<String> audience) {
            return new SignedBearer(
                    SECRET.getBytes(StandardCharsets.UTF_8),
                    issuer,
                    audience,
                    SignedBearer.DEFAULT_SKEW,
                    Clock.fixed(Instant.ofEpochSecond(NOW), ZoneOffset.UTC));
        }

        private static String token(String header, String claims) throws GeneralSecurityException {
            return token(header, claims, SECRET, "HmacSHA256");
        }

        private static String token(String header, String claims, String secret, String algorithm)
                throws GeneralSecurityException {
            String signed = encode(header.getBytes(StandardCharsets.UTF_8)) + "."
                    + encode(claims.getBytes(StandardCharsets.UTF_8));
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), algorithm));
            return signed + "." + encode(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        }

        private static String encode(byte[] bytes) {
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        }

        @Test
        void theExampleTokenOfRfc7515IsVerified() throws Exception {
            // RFC 7515 appendix A.1
            String example = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
                    + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
                    + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
            byte[] key = Base64.getUrlDecoder()
                    .decode("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow");
            SignedBearer bearer = new SignedBearer(
                    key,
                    Optional.of("joe"),
                    Optional.empty(),
                    Duration.ZERO,
                    Clock.fixed(Instant.ofEpochSecond(1300819379), ZoneOffset.UTC));
            assertThat(refusalOf(bearer, Optional.of("Bearer " + example))).isEmpty();
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{'exp':1800000100} | ok",
                    "{'exp':1800000100.5} | ok",
                    "{'exp':1799999990} | ok",
                    "{'exp':1799999960} | expired websocket jwt",
                    "{'exp':1800000100,'nbf':1800000020} | ok",
                    "{'exp':1800000100,'nbf':1800000040} | websocket jwt is not valid yet",
                    "{'exp':1800000100,'nbf':'soon'} | invalid websocket jwt",
                    "{} | invalid websocket jwt",
                    "{'exp':null} | invalid websocket jwt",
                    "{'exp':'1800000100'} | invalid websocket jwt",
                    "{'exp':1800000100,'exp':1800000200} | invalid websocket jwt",
                    "[] | invalid websocket jwt",
                    "{'exp':1800000100,'extra':{'deep':[1,{}]}} | ok"
                })
        void claimsDecide(String claims, String expected) throws Exception {
            assertThat(refusal(token(HS256, claims.replace('\'', '"'))).orElse("ok"))
                    .isEqualTo(expected);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{'exp':1800000100,'iss':'me','aud':'you'} | ok",
                    "{'exp':1800000100,'iss':'me','aud':['he','you']} | ok",
                    "{'exp':1800000100,'iss':'me','aud':['he']} | websocket jwt audience mismatch",
                    "{'exp':1800000100,'iss':'me','aud':[]} | websocket jwt audience mismatch",
                    "{'exp':1800000100,'iss':'me'} | websocket jwt audience mismatch",
                    "{'exp':1800000100,'aud':'you'} | websocket jwt issuer mismatch",
                    "{'exp':1800000100,'iss':'Me','aud':'you'} | websocket jwt issuer mismatch",
                    "{'exp':1800000100,'iss':['me'],'aud':'you'} | invalid websocket jwt"
                })
        void issuerAndAudienceAreCheckedWhenConfigured(String claims, String expected) throws Exception {
            SignedBearer bearer = with(Optional.of("me"), Optional.of("you"));
            assertThat(refusalOf(bearer, Optional.of("Bearer " + token(HS256, claims.replace('\'', '"'))))
                            .orElse("ok"))
                    .isEqualTo(expected);
        }

        @Test
        void onlyHs256Counts() throws Exception {
            String invalid = "invalid websocket jwt";
            assertThat(refusal(token("{\"alg\":\"HS512\"}", GOOD, SECRET, "HmacSHA512")))
                    .contains(invalid);
            assertThat(refusal(token("{\"alg\":\"HS512\"}", GOOD))).contains(invalid);
            assertThat(refusal(token("{\"alg\":\"none\"}", GOOD))).contains(invalid);
            assertThat(refusal(token("{\"alg\":\"hs256\"}", GOOD))).contains(invalid);
            assertThat(refusal(token("{}", GOOD))).contains(invalid);
            assertThat(refusal(token("{\"alg\":\"HS256\",\"crit\":[\"exp\"]}", GOOD)))
                    .contains(invalid);
        }

        @Test
        void signatureMustBeOurs() throws Exception {
            String good = token(HS256, GOOD);
            assertThat(refusal(good)).isEmpty();
            assertThat(refusal(token(HS256, GOOD, SECRET + "x", "HmacSHA256"))).isPresent();
            assertThat(refusal(good.substring(0, good.lastIndexOf('.') + 1))).isPresent();
            assertThat(refusal(good + "=")).isPresent();
            assertThat(refusal(good + ".x")).isPresent();
            assertThat(refusal("a.b")).isPresent();
            assertThat(refusal("")).isPresent();
            assertThat(refusal("...")).isPresent();
        }

        /** Header, claims and signature: in each of them a text that a lenient decoder takes for the same bytes. */
        @ParameterizedTest
        @ValueSource(ints = {0, 1, 2})
        void onlyOneTextIsTheToken(int part) throws Exception {
            // One byte more than a multiple of three in each part: its last letter has four bits that belong to no
            // byte.
            String header = HS256 + " ".repeat((4 - HS256.length() % 3) % 3);
            String claims = GOOD + " ".repeat((4 - GOOD.length() % 3) % 3);
            assertThat(refusal(token(header, claims))).isEmpty();
            for (String other : List.of("trailing bits", "=", "==", " ", "\t", "\n", "+", "/")) {
                assertThat(refusal(respelled(header, claims, part, other)))
                        .as(other)
                        .contains(
                                other.length() > 1 || " =+/".contains(other)
                                        ? "invalid websocket jwt"
                                        : BearerHeader.INVALID);
            }
        }

        /** The token with one part written in another way; the signature is right for what is written. */
        private static String respelled(String header, String claims, int part, String how) throws Exception {
            String[] parts = {
                encode(header.getBytes(StandardCharsets.UTF_8)), encode(claims.getBytes(StandardCharsets.UTF_8)), ""
            };
            if (part < 2) {
                parts[part] = respell(parts[part], how);
            }
            String signed = parts[0] + "." + parts[1];
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            String signature = encode(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
            return signed + "." + (part == 2 ? respell(signature, how) : signature);
        }

        private static String respell(String text, String how) {
            if (!how.equals("trailing bits")) {
                return text.substring(0, text.length() / 2) + how + text.substring(text.length() / 2);
            }
            String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
            int last = alphabet.indexOf(text.charAt(text.length() - 1));
            assertThat(text.length() % 4).as("there are spare bits").isIn(2, 3);
            return text.substring(0, text.length() - 1) + alphabet.charAt(last + 1);
        }

        @Test
        void shortSecretsAreRefusedAndLongOnesTrimmed() throws Exception {
            Path tooShort = file("x".repeat(31) + "\n");
            assertThatThrownBy(() ->
                            SignedBearer.fromFile(tooShort, Optional.empty(), Optional.empty(), Duration.ofSeconds(30)))
                    .hasMessage("signed websocket bearer secret " + tooShort + " must be at least 32 bytes");
            SignedBearer bearer = SignedBearer.fromFile(
                    file("\n" + SECRET + "\n"), Optional.empty(), Optional.empty(), Duration.ofSeconds(30));
            assertThat(refusalOf(bearer, Optional.of("Bearer " + token(HS256, "{\"exp\":99999999999}"))))
                    .isEmpty();
            assertThat(bearer.toString()).doesNotContain(SECRET);
        }

        @Test
        void c103_theKeyIsTheBytesOfTheFile() throws Exception {
            byte[] key = new byte[32];
            Arrays.fill(key, (byte) 0xff);
            Path file = Files.write(folder.resolve("key"), key);
            SignedBearer bearer =
                    SignedBearer.fromFile(file, Optional.empty(), Optional.empty(), Duration.ofSeconds(30));
            String forged = token(HS256, "{\"exp\":99999999999}", "\ufffd".repeat(32), "HmacSHA256");
            assertThat(refusalOf(bearer, Optional.of("Bearer " + forged))).contains("invalid websocket jwt");
            String signed = forged.substring(0, forged.lastIndexOf('.'));
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            String right = signed + "." + encode(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
            assertThat(refusalOf(bearer, Optional.of("Bearer " + right))).isEmpty();
        }

        @Test
        void c103_elevenBytesAreNoKey() throws Exception {
            byte[] key = new byte[11];
            Arrays.fill(key, (byte) 0xff);
            Path file = Files.write(folder.resolve("key"), key);
            assertThatThrownBy(() ->
                            SignedBearer.fromFile(file, Optional.empty(), Optional.empty(), Duration.ofSeconds(30)))
                    .hasMessage("signed websocket bearer secret " + file + " must be at least 32 bytes");
        }

        @Test
        void theSubjectIsToldWithItsIssuer() throws Exception {
            SignedBearer bearer = with(Optional.empty(), Optional.empty());
            assertThat(bearer.check(
                            List.of("Bearer " + token(HS256, "{\"exp\":1800000100,\"iss\":\"us\",\"sub\":\"alice\"}"))))
                    .isEqualTo(new Admission.Granted(Optional.of(new Subject(Optional.of("us"), "alice"))));
            assertThat(bearer.check(List.of("Bearer " + token(HS256, GOOD)))).isEqualTo(Admission.ANYBODY);
            assertThat(refusal(token(HS256, "{\"exp\":1800000100,\"sub\":7}"))).contains("invalid websocket jwt");
        }
    }
}
