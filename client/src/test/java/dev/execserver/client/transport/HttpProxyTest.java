package dev.execserver.client.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpProxyTest {

    private static String sent(HttpProxy proxy, String answer) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        proxy.connect(
                Endpoint.parse("wss://server.example:8443/exec"),
                new ByteArrayInputStream(answer.getBytes(ISO_8859_1)),
                out);
        return out.toString(ISO_8859_1);
    }

    @Test
    void theProxyIsAskedToConnectWithItsCredentials() throws IOException {
        HttpProxy proxy = HttpProxy.parse("http://user:pass@proxy.example:3128");
        assertThat(sent(proxy, "HTTP/1.1 200 OK\r\n\r\n"))
                .isEqualTo("CONNECT server.example:8443 HTTP/1.1\r\nHost: server.example:8443\r\n"
                        + "Proxy-Authorization: Basic dXNlcjpwYXNz\r\n\r\n");
        assertThat(proxy).hasToString("proxy.example:3128");
    }

    @Test
    void aRefusalNamesProxyAndTarget() {
        HttpProxy proxy = HttpProxy.parse("http://proxy.example");
        assertThatThrownBy(() -> sent(proxy, "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"))
                .hasMessage("the proxy proxy.example:80 does not connect to server.example:8443: HTTP status 407");
        assertThatThrownBy(() -> sent(proxy, "HTTP/1.1 2"))
                .hasMessage("the proxy proxy.example:80 closed the connection");
    }

    @ParameterizedTest
    @ValueSource(strings = {"proxy:3128", "https://proxy", "socks5://proxy", "http://u:secret@", "http://proxy/path"})
    void otherUrlsAreRefusedWithoutRepeatingThem(String url) {
        assertThatThrownBy(() -> HttpProxy.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .doesNotContain("secret");
    }

    @Test
    void aTokenIsNotShownToAProxy() {
        WebSocketConnector connector = new WebSocketConnector(
                Endpoint.parse("ws://127.0.0.1:1"),
                UpgradeHeaders.NONE.withToken(() -> "token"),
                Optional.empty(),
                Optional.of(HttpProxy.parse("http://127.0.0.1:1")));
        assertThatThrownBy(() -> connector.open(Duration.ofSeconds(1)))
                .hasMessageContaining("through a proxy; use wss://");
    }
}
