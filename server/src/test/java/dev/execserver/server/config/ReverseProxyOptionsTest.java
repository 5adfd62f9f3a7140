package dev.execserver.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.cli.local.ConfigException;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReverseProxyOptionsTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.200.1.1, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.4, false",
        "192.168.4.0/22, 192.168.7.255, true",
        "192.168.4.0/22, 192.168.8.0, false",
        "0.0.0.0/0, 203.0.113.9, true",
        "0.0.0.0/0, ::1, false",
        "fd00::/8, fdff::1, true",
        "fd00::/8, fe80::1, false",
        "::1, ::1, true",
        "10.0.0.0/8, ::ffff:10.1.1.1, true",
    })
    void aRangeHoldsTheAddressesThatBeginAlike(String range, String address, boolean contained) {
        assertThat(AddressRange.parse(range).orElseThrow().contains(InetAddress.ofLiteral(address)))
                .isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"10.0.0.0/33", "::1/129", "10.0.0/8", "300.1.1.1", "proxy.example.org", "10.0.0.0/", ":::/8"})
    void whatIsNoRangeIsRefused(String text) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(Map.of(Options.TRUSTED_PROXIES, text), Map.of()))
                .withMessageContaining("--trusted-proxies")
                .withMessageContaining(text);
    }

    @ParameterizedTest
    @CsvSource({"/, ''", "/exec, /exec", "/exec/, /exec", "/a/b.c-d_e~, /a/b.c-d_e~"})
    void aBasePathIsTakenWithAndWithoutItsLastSlash(String given, String path) {
        assertThat(ConfigLoader.load(Map.of(Options.BASE_PATH, given), Map.of())
                        .server()
                        .http()
                        .proxy()
                        .basePath())
                .isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"exec", "/a//b", "/../x", "/.", "/a b", "/a%20b", "/a?b", "//", "/a#b"})
    void aBasePathThatAProxyWouldChangeIsRefused(String given) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(Map.of(Options.BASE_PATH, given), Map.of()))
                .withMessageContaining("--base-path");
    }

    @Test
    void nobodyIsTrustedByDefault() {
        assertThat(ServerConfig.DEFAULTS.http().proxy()).isEqualTo(ReverseProxy.DEFAULTS);
        assertThat(ConfigLoader.load(Map.of(), Map.of()).server().http().proxy())
                .isEqualTo(ReverseProxy.DEFAULTS);
    }
}
