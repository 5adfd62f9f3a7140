package dev.execserver.sandbox.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyRoutesTest {
    private static final String GOOD = "http://127.0.0.1:3128";

    private static String rewritten(String value) {
        return ProxyRoutes.of(Map.of("HTTP_PROXY", value), List.of())
                .environment()
                .get("HTTP_PROXY");
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:3128, http://127.0.0.1:61001",
        "127.0.0.1:3128, 127.0.0.1:61001",
        "localhost:3128, 127.0.0.1:61001",
        "LocalHost, 127.0.0.1:61001",
        "http://[::1]:3128/, http://127.0.0.1:61001/",
        "'[::1]:3128', 127.0.0.1:61001",
        "socks5h://u:p@localhost:1080/, socks5h://u:p@127.0.0.1:61001/",
        "http://a@b:c@localhost:1/x?y#z, http://a@b:c@127.0.0.1:61001/x?y#z",
        "http://localhost?a@b, http://127.0.0.1:61001?a@b",
        "http://localhost:/, http://127.0.0.1:61001/",
        "' http://localhost:3128 ', http://127.0.0.1:61001",
    })
    void onlyHostAndPortAreRewritten(String value, String expected) {
        assertThat(rewritten(value)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost, 80",
        "https://localhost, 443",
        "socks4://localhost, 1080",
        "socks4a://localhost, 1080",
        "SOCKS5://localhost, 1080",
        "socks5h://localhost, 1080",
        "ws://localhost, 80",
        "localhost, 80",
        "localhost:65535, 65535"
    })
    void thePortIsThatOfTheSchemeWhenThereIsNone(String value, int port) {
        ProxyRoutes routes = ProxyRoutes.of(Map.of("ALL_PROXY", value), List.of());
        assertThat(routes.endpoints()).extracting(ProxyEndpoint::port).containsExactly(port);
    }

    @Test
    void localhostIsTriedOnBothFamilies() {
        ProxyRoutes routes = ProxyRoutes.of(Map.of("ALL_PROXY", "localhost:9"), List.of());
        assertThat(routes.endpoints().getFirst().addresses())
                .extracting(address -> address.getAddress().getHostAddress())
                .containsExactly("127.0.0.1", "0:0:0:0:0:0:0:1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP_PROXY",
                "https_proxy",
                "Ws_Proxy",
                "WSS_PROXY",
                "all_proxy",
                "FTP_PROXY",
                "YARN_HTTP_PROXY",
                "YARN_HTTPS_PROXY",
                "npm_config_http_proxy",
                "NPM_CONFIG_HTTPS_PROXY",
                "npm_config_proxy",
                "BUNDLE_HTTP_PROXY",
                "BUNDLE_HTTPS_PROXY",
                "PIP_PROXY",
                "DOCKER_HTTP_PROXY",
                "DOCKER_HTTPS_PROXY"
            })
    void everyNameCountsInAnyLetterCase(String name) {
        assertThat(ProxyRoutes.of(Map.of(name, GOOD), List.of()).environment())
                .containsEntry(name, "http://127.0.0.1:61001");
    }

    @Test
    void everythingElseStaysAsItIs() {
        Map<String, String> environment = new TreeMap<>(Map.of(
                "HTTP_PROXY", GOOD,
                "HTTPS_PROXY", "http://proxy.example:3128",
                "NO_PROXY", "localhost,127.0.0.1",
                "FTP_PROXY", "http://127.0.0.1:99999",
                "WS_PROXY", "http://[::1",
                "WSS_PROXY", "   ",
                "MY_PROXY", GOOD,
                "PATH", "/bin"));
        ProxyRoutes routes = ProxyRoutes.of(environment, List.of());
        environment.put("HTTP_PROXY", "http://127.0.0.1:61001");
        assertThat(routes.environment()).isEqualTo(environment);
        assertThat(routes.innerPorts()).containsExactly(61001);
    }

    @Test
    void oneProxyHasOnePortAndNoneIsThatOfAProxy() {
        ProxyRoutes routes = ProxyRoutes.of(
                new TreeMap<>(Map.of(
                        "HTTP_PROXY", "http://127.0.0.1:61001",
                        "HTTPS_PROXY", "http://127.0.0.1:61001/",
                        "ALL_PROXY", "socks5://127.0.0.1:61002")),
                List.of());
        assertThat(routes.environment())
                .containsEntry("ALL_PROXY", "socks5://127.0.0.1:61003")
                .containsEntry("HTTP_PROXY", "http://127.0.0.1:61004")
                .containsEntry("HTTPS_PROXY", "http://127.0.0.1:61004/");
        assertThat(routes.endpoints()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "'', requires proxy environment variables",
        "'  ', requires proxy environment variables",
        "http://proxy.example:3128, requires parseable loopback proxy endpoints",
        "http://127.0.0.2:3128, requires parseable loopback proxy endpoints",
        "http://localhost.:3128, requires parseable loopback proxy endpoints",
        "http://localhost:3128@evil.example, requires parseable loopback proxy endpoints",
        "http://127.0.0.1:70000, requires parseable loopback proxy endpoints",
        "http://127.0.0.1:x, requires parseable loopback proxy endpoints",
        "http://127.0.0.1:-1, requires parseable loopback proxy endpoints",
        "http://::1:3128, requires parseable loopback proxy endpoints",
        "http://, requires parseable loopback proxy endpoints",
        "http://127.0.0.1:0, HTTP_PROXY has port 0",
        "http://127.0.0.1:00000, HTTP_PROXY has port 0",
    })
    void whatNamesNoUsableProxyIsRefused(String value, String message) {
        assertThatThrownBy(() -> rewritten(value))
                .isInstanceOf(PolicyRefusedException.class)
                .hasMessageContaining(message);
    }

    @Test
    void onlyDeclaredPortsMayBeProxies() {
        assertThat(ProxyRoutes.of(Map.of("HTTP_PROXY", GOOD), List.of(1, 3128)).innerPorts())
                .hasSize(1);
        assertThatThrownBy(() -> ProxyRoutes.of(Map.of("HTTP_PROXY", GOOD), List.of(1)))
                .isInstanceOf(PolicyRefusedException.class)
                .hasMessageContaining("proxy endpoint is outside the managed sandbox context");
    }

    @Test
    void sixteenProxiesAreTheMost() {
        Map<String, String> environment = new TreeMap<>();
        String name = "all_proxy";
        for (int i = 0; i < ProxyRoutes.MAX_ROUTES; i++) {
            environment.put(spelling(name, i), "localhost:" + (1000 + i));
        }
        assertThat(ProxyRoutes.of(environment, List.of()).innerPorts()).hasSize(ProxyRoutes.MAX_ROUTES);
        environment.put(spelling(name, ProxyRoutes.MAX_ROUTES), "localhost:999");
        assertThatThrownBy(() -> ProxyRoutes.of(environment, List.of()))
                .isInstanceOf(PolicyRefusedException.class)
                .hasMessageContaining("17 different proxies, more than the 16");
    }

    /** Returns the name with upper-case letters at the positions of the set bits. */
    private static String spelling(String name, int bits) {
        StringBuilder spelled = new StringBuilder(name);
        for (int i = 0; i < 3; i++) {
            if ((bits >> i & 1) == 1) {
                spelled.setCharAt(i, Character.toUpperCase(name.charAt(i)));
            }
        }
        for (int i = 0; i < 5; i++) {
            if ((bits >> (3 + i) & 1) == 1) {
                spelled.setCharAt(4 + i, Character.toUpperCase(name.charAt(4 + i)));
            }
        }
        return spelled.toString();
    }
}
