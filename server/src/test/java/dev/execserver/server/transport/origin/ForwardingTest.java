package dev.execserver.server.transport.origin;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.http.HeaderNames;
import io.helidon.http.WritableHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardingTest {
    private static final String PROXY = "10.0.0.1:4711";
    private static final Set<String> PROXIES = Set.of("10.0.0.1", "10.0.0.2");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "203.0.113.9                        | 203.0.113.9",
                "203.0.113.9:51234                  | 203.0.113.9:51234",
                "2001:db8::9                        | [2001:db8:0:0:0:0:0:9]",
                "[2001:db8::9]:80                   | [2001:db8:0:0:0:0:0:9]:80",
                "1.1.1.1, 203.0.113.9               | 203.0.113.9",
                "1.1.1.1,203.0.113.9 , 10.0.0.2     | 203.0.113.9",
                "10.0.0.2                           | 10.0.0.2",
                "unknown, 10.0.0.2                  | 10.0.0.2",
                "203.0.113.9, unknown               | -",
                "203.0.113.9, 999.1.1.1             | -",
                "203.0.113.9,                       | -",
                "localhost                          | -",
            })
    void theLastAddressThatIsNoProxyIsTheClient(String header, String client) {
        ClientAddress found = client(false, PROXY, List.of(header.strip()));

        assertThat(found)
                .isEqualTo(
                        client == null
                                ? ClientAddress.direct(PROXY)
                                : new ClientAddress(client.strip(), Optional.of(PROXY)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "for=203.0.113.9                                    | 203.0.113.9",
                "For=\"[2001:db8::9]:80\";proto=https               | [2001:db8:0:0:0:0:0:9]:80",
                "for=1.1.1.1, by=10.0.0.1; for=203.0.113.9          | 203.0.113.9",
                "for=203.0.113.9, for=10.0.0.2                      | 203.0.113.9",
                "for=203.0.113.9;host=\"a,for=1.1.1.1\"             | 203.0.113.9",
                "for=203.0.113.9, for=_hidden                       | -",
                "for=1.1.1.1;for=203.0.113.9                        | -",
                "proto=https                                        | -",
                "for=\"203.0.113.9                                  | -",
            })
    void theStandardHeaderIsReadWithItsQuotes(String header, String client) {
        ClientAddress found = client(true, PROXY, List.of(header.strip()));

        assertThat(found)
                .isEqualTo(
                        client == null
                                ? ClientAddress.direct(PROXY)
                                : new ClientAddress(client.strip(), Optional.of(PROXY)));
    }

    @Test
    void aPeerThatIsNoTrustedProxyIsTheClientWhateverItSends() {
        assertThat(client(false, "10.0.0.3:80", List.of("203.0.113.9"))).isEqualTo(ClientAddress.direct("10.0.0.3:80"));
        assertThat(Forwarding.NONE.client(address(PROXY), PROXY, headers("X-Forwarded-For", List.of("203.0.113.9"))))
                .isEqualTo(ClientAddress.direct(PROXY));
    }

    @Test
    void severalHeadersAreOneList() {
        assertThat(client(false, PROXY, List.of("1.1.1.1", "203.0.113.9", "10.0.0.2"))
                        .text())
                .isEqualTo("203.0.113.9");
    }

    @Test
    void theHeaderThatTheProxiesDoNotWriteIsIgnored() {
        assertThat(forwarding(false).client(address(PROXY), PROXY, headers("Forwarded", List.of("for=203.0.113.9"))))
                .isEqualTo(ClientAddress.direct(PROXY));
    }

    @Test
    void thePathBelowTheBaseIsFound() {
        BasePath base = new BasePath("/exec");

        assertThat(base.below("/exec")).contains("/");
        assertThat(base.below("/exec/")).contains("/");
        assertThat(base.below("/exec/files")).contains("/files");
        assertThat(base.below("/files")).isEmpty();
        assertThat(base.below("/executor")).isEmpty();
        assertThat(BasePath.ROOT.below("/exec/files")).contains("/exec/files");
    }

    private static ClientAddress client(boolean standard, String peer, List<String> values) {
        return forwarding(standard)
                .client(address(peer), peer, headers(standard ? "Forwarded" : "X-Forwarded-For", values));
    }

    private static Forwarding forwarding(boolean standard) {
        return new Forwarding(standard, address -> PROXIES.contains(address.getHostAddress()));
    }

    private static WritableHeaders<?> headers(String name, List<String> values) {
        return WritableHeaders.create().set(HeaderNames.create(name), values);
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(
                InetAddress.ofLiteral(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
    }
}
