package dev.execserver.server.proxy.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.protocol.net.DomainRule;
import dev.execserver.protocol.net.NetworkProtocol;
import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.rules.NetworkRule;
import dev.execserver.server.rules.RuleDecision;
import dev.execserver.server.rules.RuledProgram;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPatternTest {

    @ParameterizedTest
    @CsvSource({
        "example.com, example.com",
        "EXAMPLE.com., example.com",
        "*.example.com, a.example.com",
        "*.example.com, a.b.example.com",
        "**.example.com, example.com",
        "**.example.com, a.example.com",
        "*, anything",
        "*.*, q.example",
        "a.*.com, a.b.com",
        "[::1], ::1",
        "::1, ::1",
        "0:0:0:0:0:0:0:1, ::1",
        "::ffff:127.0.0.1, 127.0.0.1",
        "127.0.0.1, 127.0.0.1",
        "xn--bcher-kva.example, xn--bcher-kva.example"
    })
    void patternsMatch(String pattern, String host) {
        assertThat(HostPattern.parse(pattern).matches(HostName.normalize(host).orElseThrow()))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "example.com, a.example.com",
        "example.com, example.com.evil.org",
        "*.example.com, example.com",
        "*.example.com, badexample.com",
        "**.example.com, badexample.com",
        "a.*.com, a.b.org",
        "127.0.0.1, 127.0.0.2"
    })
    void othersDoNot(String pattern, String host) {
        assertThat(HostPattern.parse(pattern).matches(host)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a b",
                "http://x.example",
                "10.0.0.0/8",
                "x.example?",
                "b\u00fccher.example",
                "[::1",
                "*:*:1",
                ".x.example",
                "x..example",
                "*..example"
            })
    void whatIsNoPatternIsRefusedByName(String text) {
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> HostPattern.parse(text))
                .withMessage("invalid network proxy config: unsupported domain pattern syntax: " + text);
    }

    @Test
    void anEmptyPatternIsRefused() {
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> HostPattern.parse(" "))
                .withMessage("invalid network proxy config: domain pattern is empty");
    }

    @Test
    void aPortNarrowsWhatIsAllowedAndNotWhatIsDenied() {
        HostLists lists = new HostLists(NetworkProxySettings.of(Map.of(
                "a.example:8080", DomainRule.ALLOW, "b.example:8080", DomainRule.DENY, "[::1]:80", DomainRule.ALLOW)));
        assertThat(lists.allowing(to(NetworkProtocol.HTTP, "a.example", 8080))).isPresent();
        assertThat(lists.allowing(to(NetworkProtocol.HTTP, "a.example", 443))).isEmpty();
        assertThat(lists.denying(to(NetworkProtocol.HTTP, "b.example", 0))).isPresent();
        assertThat(lists.namesExactly(to(NetworkProtocol.HTTP, "::1", 80))).isTrue();
        assertThat(lists.namesExactly(to(NetworkProtocol.HTTP, "::1", 81))).isFalse();
    }

    @Test
    void rulesAddToTheListsForTheirProtocolAndTheStrictestCounts() {
        HostLists lists = new HostLists(NetworkProxySettings.of(Map.of("listed.example", DomainRule.ALLOW)))
                .with(
                        List.of(
                                rule("a.example.", NetworkRule.Protocol.HTTPS, RuleDecision.ALLOW),
                                rule("listed.example", NetworkRule.Protocol.HTTP, RuleDecision.FORBIDDEN),
                                rule("asked.example", NetworkRule.Protocol.HTTP, RuleDecision.ALLOW),
                                rule("asked.example", NetworkRule.Protocol.HTTP, RuleDecision.PROMPT),
                                rule("::1", NetworkRule.Protocol.SOCKS5_TCP, RuleDecision.FORBIDDEN),
                                rule("no@host", NetworkRule.Protocol.HTTP, RuleDecision.ALLOW)),
                        RuledProgram::of);

        assertThat(lists.allowing(to(NetworkProtocol.HTTPS_CONNECT, "a.example", 443)))
                .isPresent();
        assertThat(lists.allowing(to(NetworkProtocol.HTTP, "a.example", 80))).isEmpty();
        assertThat(lists.denying(to(NetworkProtocol.HTTP, "listed.example", 0))).isPresent();
        assertThat(lists.denying(to(NetworkProtocol.HTTPS_CONNECT, "listed.example", 0)))
                .isEmpty();
        assertThat(lists.allowing(to(NetworkProtocol.HTTP, "asked.example", 80)))
                .isEmpty();
        assertThat(lists.reviewed(to(NetworkProtocol.HTTP, "asked.example", 0))).isTrue();
        assertThat(lists.denying(to(NetworkProtocol.SOCKS5_TCP, "::1", 0))).isPresent();
    }

    private static NetworkRule rule(String host, NetworkRule.Protocol protocol, RuleDecision decision) {
        return new NetworkRule(host, protocol, decision, Optional.empty(), Optional.empty());
    }

    private static ProxyDestination to(NetworkProtocol protocol, String host, int port) {
        return new ProxyDestination(protocol, host, port, Optional.empty(), Optional.empty());
    }

    @Test
    void everythingCannotBeDenied() {
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> new HostLists(NetworkProxySettings.of(Map.of("*", DomainRule.DENY))))
                .withMessageContaining("invalid value for network.denied_domains: *");
    }

    @Test
    void thereIsALimitOfPatterns() {
        Map<String, DomainRule> rules = new LinkedHashMap<>();
        for (int i = 0; i < ProxyBounds.MAX_PATTERNS; i++) {
            rules.put("h" + i + ".example", DomainRule.ALLOW);
        }
        assertThat(new HostLists(NetworkProxySettings.of(rules)).allowing(to(NetworkProtocol.HTTP, "h9999.example", 1)))
                .isPresent();
        rules.put("one.more", DomainRule.ALLOW);
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> new HostLists(NetworkProxySettings.of(rules)))
                .withMessageContaining("10001 domain patterns are more than the limit of 10000");
    }

    @Test
    @Timeout(60)
    void manyStarsTakeNoTime() {
        HostPattern pattern = HostPattern.parse("*a".repeat(60) + "*b");
        assertThat(pattern.matches("a".repeat(HostName.MAX_LENGTH))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.example:0",
                "a.example:65536",
                "10.*",
                "10.1.*.*",
                "192.168.*",
                "127.0.0.*",
                "169.254.*",
                "*.localhost",
                "**.localhost",
                "300.1.*"
            })
    void whatCanNeverMatchIsRefusedWhenItIsGiven(String pattern) {
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> new HostLists(NetworkProxySettings.of(Map.of(pattern, DomainRule.ALLOW))))
                .withMessageContaining("can never match")
                .withMessageContaining(pattern);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.*", "192.168.*", "*.localhost", "169.254.*"})
    void closedNetworksMayBeDenied(String pattern) {
        HostLists lists = new HostLists(NetworkProxySettings.of(Map.of(pattern, DomainRule.DENY)));
        assertThat(lists.allowedSomewhere(to(NetworkProtocol.HTTP, "10.0.0.1", 0)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.8.*", "*.example.com", "*host", "1*.example"})
    void otherStarsStayUsable(String pattern) {
        HostLists lists = new HostLists(NetworkProxySettings.of(Map.of(pattern, DomainRule.ALLOW)));
        assertThat(lists.denying(to(NetworkProtocol.HTTP, "a", 0))).isEmpty();
    }
}
