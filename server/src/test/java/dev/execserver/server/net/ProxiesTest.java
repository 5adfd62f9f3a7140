package dev.execserver.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.protocol.rpc.RpcException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxiesTest {

    private static String choose(String url, Map<String, String> environment) {
        return new Proxies(environment)
                .choose(RequestUrl.parse(url))
                .map(RequestUrl::toString)
                .orElse("direct");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost/",
                "http://a.localhost:3000/",
                "http://localhost./",
                "https://LocalHost.:3000/",
                "http://127.0.0.1/",
                "http://127.9.9.9/",
                "http://127.1/",
                "http://[::1]/",
                "http://[::ffff:127.0.0.1]/",
                "http://0.0.0.0/",
                "https://localhost/"
            })
    void thisMachineIsNeverReachedThroughAProxy(String url) {
        assertThat(choose(
                        url,
                        Map.of("ALL_PROXY", "http://p:1", "HTTP_PROXY", "http://p:1", "HTTPS_PROXY", "http://p:1")))
                .isEqualTo("direct");
    }

    @Test
    void eachSchemeHasItsVariableAndAllIsForTheRest() {
        Map<String, String> both =
                Map.of("HTTP_PROXY", "http://h:1", "https_proxy", "s:2", "ALL_PROXY", "http://all:3");
        assertThat(choose("http://x/", both)).isEqualTo("http://h:1/");
        assertThat(choose("https://x/", both)).isEqualTo("http://s:2/");
        assertThat(choose("https://x/", Map.of("all_proxy", "http://all:3"))).isEqualTo("http://all:3/");
        assertThat(choose("https://x/", Map.of("HTTP_PROXY", "http://h:1"))).isEqualTo("direct");
        assertThat(choose("http://x/", Map.of("HTTP_PROXY", ""))).isEqualTo("direct");
    }

    @Test
    void aRequestHeaderOfACgiProgramIsNoProxy() {
        assertThat(choose("http://x/", Map.of("HTTP_PROXY", "http://h:1", "REQUEST_METHOD", "GET")))
                .isEqualTo("direct");
    }

    @ParameterizedTest
    @CsvSource({
        "*, http://x/, true",
        "x.test, http://x.test/, true",
        "x.test, http://a.x.test/, true",
        ".x.test, http://a.x.test/, true",
        "x.test, http://ax.test/, false",
        "'a, x.test ,b', http://X.test/, true",
        "x.test:81, http://x.test:81/, true",
        "10.0.0.0/8, http://10.1.2.3/, true",
        "10.0.0.0/8, http://11.1.2.3/, false",
        "10.1.2.3, http://10.1.2.3/, true",
        "10.0.0.0/33, http://10.1.2.3/, false",
        "10.0.0.0/x, http://10.1.2.3/, false",
        "fd00::/8, http://[fd12::1]/, true",
        "fd00::/8, http://10.1.2.3/, false"
    })
    void exceptionsAreNamesWithTheirSubdomainsAddressesAndRanges(String exceptions, String url, boolean direct) {
        String choice = choose(url, Map.of("HTTP_PROXY", "http://p:1", "NO_PROXY", exceptions));
        assertThat(choice.equals("direct")).isEqualTo(direct);
    }

    @Test
    void whatCannotBeUsedIsRefusedWithoutShowingThePassword() {
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> choose("http://x/", Map.of("HTTP_PROXY", "socks5h://u:secret@p:1")))
                .withMessageContaining("`socks5h` is not supported")
                .withMessageNotContaining("secret");
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> choose("http://x/", Map.of("HTTP_PROXY", "http://u:secret@p:99999")))
                .withMessageContaining("does not hold a URL")
                .withMessageNotContaining("secret");
    }
}
