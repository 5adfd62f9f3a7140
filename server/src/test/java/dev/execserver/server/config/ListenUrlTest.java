package dev.execserver.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.cli.local.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenUrlTest {
    @ParameterizedTest
    @CsvSource({
        "ws://127.0.0.1:0,            127.0.0.1,       0",
        "ws://127.0.0.1:65535,        127.0.0.1,       65535",
        "ws://0.0.0.0:4711,           0.0.0.0,         4711",
        "ws://[::1]:0,                0:0:0:0:0:0:0:1, 0",
        "ws://[::]:80,                0:0:0:0:0:0:0:0, 80",
        "ws://[::ffff:10.0.0.1]:80,   10.0.0.1,        80",
    })
    void readsLiteralSocketAddresses(String url, String host, int port) {
        ListenUrl.WebSocket parsed = (ListenUrl.WebSocket) ListenUrl.parse(url);

        assertThat(parsed.address().getAddress().getHostAddress()).isEqualTo(host);
        assertThat(parsed.address().getPort()).isEqualTo(port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "stdio://"})
    void readsStdio(String url) {
        assertThat(ListenUrl.parse(url)).isEqualTo(new ListenUrl.Stdio());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ws://localhost:0",
                "ws://127.0.0.1",
                "ws://127.0.0.1:",
                "ws://127.0.0.1:0/",
                "ws://127.0.0.1:0/path",
                "ws://127.0.0.1:65536",
                "ws://127.0.0.1:-1",
                "ws://127.0.0.1:99999999999",
                "ws://127.0.0.1:0 ",
                "ws://127.1:80",
                "ws://127.0.0.01:80",
                "ws://127.0.0.256:80",
                "ws://2130706433:80",
                "ws://::1:80",
                "ws://[::1]",
                "ws://[::g]:80",
                "ws://[127.0.0.1]:80",
                "ws://[1:2]:80",
                "ws://:80",
                "ws://user@127.0.0.1:80",
                "ws://"
            })
    void refusesWebSocketUrlsThatAreNoSocketAddress(String url) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ListenUrl.parse(url))
                .withMessage(
                        "invalid websocket --listen URL `" + url + "`; expected `ws://IP:PORT`\n" + ListenUrl.ADDRESS)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(ConfigException.Kind.KNOWN_USAGE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "stdio:",
                "STDIO",
                "stdio:///",
                "wss://127.0.0.1:0",
                "WS://127.0.0.1:0",
                "http://127.0.0.1:0",
                "tcp://127.0.0.1:0",
                "127.0.0.1:0",
                " ws://127.0.0.1:0"
            })
    void refusesEveryOtherUrl(String url) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ListenUrl.parse(url))
                .withMessage("unsupported --listen URL `" + url + "`; expected `ws://IP:PORT` or `stdio`");
    }

    @Test
    void listensOnLoopbackAndAFreePortByDefault() {
        assertThat(ListenUrl.DEFAULT).hasToString("ws://127.0.0.1:0").isEqualTo(ListenUrl.parse("ws://127.0.0.1:0"));
    }

    @ParameterizedTest
    @CsvSource({
        "ws://127.0.0.1:0,   true",
        "ws://127.9.9.9:0,   true",
        "ws://[::1]:0,       true",
        "ws://0.0.0.0:0,     false",
        "ws://[::]:0,        false",
        "ws://192.0.2.1:0,   false"
    })
    void knowsWhatOnlyThisMachineCanReach(String url, boolean loopback) {
        assertThat(((ListenUrl.WebSocket) ListenUrl.parse(url)).loopback()).isEqualTo(loopback);
    }
}
