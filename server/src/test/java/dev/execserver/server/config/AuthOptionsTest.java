package dev.execserver.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.cli.local.ConfigException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthOptionsTest {
    private static final String DIGEST = "ab".repeat(32);

    @Test
    void checksNothingByDefault() {
        assertThat(auth(Map.of())).isEqualTo(new Auth.None());
    }

    @Test
    void takesACapabilityTokenFromAFileOrByItsDigest() {
        assertThat(auth(Map.of(Options.WS_AUTH, "capability-token", Options.WS_TOKEN_FILE, "/t")))
                .isEqualTo(new Auth.TokenFile(Path.of("/t")));
        assertThat(auth(Map.of(Options.WS_AUTH, "capability-token", Options.WS_TOKEN_SHA256, "AB".repeat(32))))
                .isEqualTo(new Auth.TokenDigest(DIGEST));
    }

    @Test
    void takesASignedBearerTokenWithAndWithoutItsConditions() {
        Map<Option<?>, String> all = Map.of(
                Options.WS_AUTH, "signed-bearer-token",
                Options.WS_SHARED_SECRET_FILE, "/s",
                Options.WS_ISSUER, "i",
                Options.WS_AUDIENCE, "a",
                Options.WS_MAX_CLOCK_SKEW_SECONDS, "0");

        assertThat(auth(all))
                .isEqualTo(new Auth.SignedBearer(Path.of("/s"), Optional.of("i"), Optional.of("a"), Duration.ZERO));
        assertThat(auth(Map.of(Options.WS_AUTH, "signed-bearer-token", Options.WS_SHARED_SECRET_FILE, "/s")))
                .isEqualTo(new Auth.SignedBearer(
                        Path.of("/s"), Optional.empty(), Optional.empty(), Duration.ofSeconds(30)));
    }

    @Test
    void capabilityTokenNeedsExactlyOneSource() {
        assertRefused(
                Map.of(Options.WS_AUTH, "capability-token"),
                "`--ws-token-file` or `--ws-token-sha256` is required when `--ws-auth capability-token` is set");
        assertRefused(
                Map.of(
                        Options.WS_AUTH, "capability-token",
                        Options.WS_TOKEN_FILE, "/t",
                        Options.WS_TOKEN_SHA256, DIGEST),
                "`--ws-token-file` and `--ws-token-sha256` are mutually exclusive");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab", "zz", " ", "0x"})
    void theDigestHasSixtyFourHexDigits(String wrong) {
        String digest = wrong + DIGEST.substring(wrong.length() == 2 && wrong.equals("ab") ? 4 : wrong.length());

        assertRefused(
                Map.of(Options.WS_AUTH, "capability-token", Options.WS_TOKEN_SHA256, digest),
                "--ws-token-sha256 must be a 64-character hex SHA-256 digest");
    }

    @Test
    void theOtherFlagsNeedAMode() {
        for (Option<?> option : new Option<?>[] {
            Options.WS_TOKEN_FILE,
            Options.WS_TOKEN_SHA256,
            Options.WS_SHARED_SECRET_FILE,
            Options.WS_ISSUER,
            Options.WS_AUDIENCE,
            Options.WS_MAX_CLOCK_SKEW_SECONDS
        }) {
            assertRefused(
                    Map.of(option, "1"),
                    "websocket auth flags require `--ws-auth capability-token` or `--ws-auth signed-bearer-token`");
        }
    }

    @Test
    void signedBearerNeedsItsSecret() {
        assertRefused(
                Map.of(Options.WS_AUTH, "signed-bearer-token"),
                "`--ws-shared-secret-file` is required when `--ws-auth signed-bearer-token` is set");
    }

    @Test
    void flagsOfTheOtherModeAreRefused() {
        assertRefused(
                Map.of(Options.WS_AUTH, "capability-token", Options.WS_ISSUER, "i"),
                "`--ws-issuer` requires `--ws-auth signed-bearer-token`");
        assertRefused(
                Map.of(Options.WS_AUTH, "signed-bearer-token", Options.WS_TOKEN_FILE, "/t"),
                "`--ws-token-file` requires `--ws-auth capability-token`");
    }

    @Test
    void tlsNeedsCertificateAndKey() {
        for (Option<?> option : List.of(Options.TLS_CERT, Options.TLS_KEY)) {
            assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(() -> auth(Map.of(option, "/f")))
                    .withMessage("`--tls-cert` and `--tls-key` are required together")
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(ConfigException.Kind.USAGE));
        }
    }

    @Test
    void knowsWhenOthersCanComeInUnchecked() {
        Listen everywhere = Listen.DEFAULTS.withUrl(ListenUrl.parse("ws://0.0.0.0:0"));

        assertThat(Listen.DEFAULTS.openToOthers()).isFalse();
        assertThat(everywhere.openToOthers()).isTrue();
        assertThat(everywhere.withAuth(new Auth.TokenDigest(DIGEST)).openToOthers())
                .isFalse();
        assertThat(Listen.DEFAULTS.withUrl(new ListenUrl.Stdio()).openToOthers())
                .isFalse();
    }

    private static Auth auth(Map<Option<?>, String> commandLine) {
        return ConfigLoader.load(commandLine, Map.of()).server().listen().auth();
    }

    private static void assertRefused(Map<Option<?>, String> commandLine, String message) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> auth(commandLine))
                .withMessage(message)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(ConfigException.Kind.KNOWN_USAGE));
    }
}
