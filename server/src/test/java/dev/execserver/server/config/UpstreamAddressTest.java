package dev.execserver.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.cli.local.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpstreamAddressTest {
    @Test
    void aHostAndAPortAreRead() {
        assertThat(UpstreamAddress.parse("proxy.test:3128")).isEqualTo(new UpstreamAddress("proxy.test", 3128));
        assertThat(UpstreamAddress.parse("[::1]:1")).isEqualTo(new UpstreamAddress("::1", 1));
    }

    @ParameterizedTest
    @CsvSource({
        "nope, missing port",
        "[::1], missing port",
        "::1:80, invalid host",
        ":80, invalid host",
        "a:0, invalid port",
        "a:65536, invalid port",
        "a:x, invalid port",
        "http://a:80, not HOST:PORT"
    })
    void anythingElseIsRefused(String text, String why) {
        assertThatThrownBy(() -> UpstreamAddress.parse(text))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "invalid value '%s' for '--tcp-upstream-proxy <HOST:PORT>': %s".formatted(text, why));
    }
}
