package dev.execserver.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.net.DomainRule;
import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.ProxyChange;
import dev.execserver.protocol.net.ProxyMode;
import dev.execserver.protocol.process.Denial;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the explanation of a refusal names a change after which the same request passes. */
@Timeout(60)
class RefusalAdviceTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    private final List<ProxyScene> scenes = new ArrayList<>();

    @AfterEach
    void end() throws Exception {
        for (ProxyScene scene : scenes) {
            scene.close();
        }
    }

    private ProxyScene scene(Map<String, DomainRule> domains) {
        ProxyScene scene = new ProxyScene();
        scene.domains = domains;
        scene.names.put("inside.test", List.of(InetAddress.ofLiteral("127.0.0.1")));
        scenes.add(scene);
        return scene;
    }

    private static String get(ProxyScene scene, String authority) throws IOException {
        return scene.exchange(
                "GET http://" + authority + "/ HTTP/1.1\r\nHost: " + authority + "\r\nConnection: close\r\n\r\n");
    }

    /** Returns the denial; a second proxy with the change lets the request through. */
    private Denial taught(Map<String, DomainRule> domains, String host) throws IOException {
        ProxyScene before = scene(domains);
        int port = before.httpServer(new ArrayList<>(), OK);
        String authority = host + ":" + port;
        assertThat(get(before, authority)).startsWith("HTTP/1.1 403");
        Denial denial = before.proxy().lastDenial().orElseThrow();
        assertThat(denial.port()).hasValue(port);
        Map<String, DomainRule> changed = new LinkedHashMap<>(domains);
        changed.putAll(denial.change().orElseThrow().domains());
        assertThat(get(scene(changed), authority)).startsWith("HTTP/1.1 200");
        return denial;
    }

    @Test
    void aHostThatNoRuleAllowsIsToBeNamedWithItsPort() throws IOException {
        Denial denial = taught(Map.of("127.0.0.1:1", DomainRule.ALLOW, "other.test", DomainRule.ALLOW), "127.0.0.1");
        assertThat(denial.kind()).isEqualTo(Denial.NETWORK);
        assertThat(denial.host()).contains("127.0.0.1");
        assertThat(denial.change().orElseThrow().domains())
                .containsOnlyKeys("127.0.0.1:" + denial.port().getAsInt());
    }

    @Test
    void everyPatternThatDeniesIsToBeTakenOut() throws IOException {
        Denial denial = taught(
                Map.of("127.0.0.1", DomainRule.ALLOW, "127.0.0.*", DomainRule.DENY, "127.0.*", DomainRule.DENY),
                "127.0.0.1");
        assertThat(denial.change().orElseThrow().domains())
                .isEqualTo(Map.of("127.0.0.*", DomainRule.NONE, "127.0.*", DomainRule.NONE));
        assertThat(denial.rule().orElseThrow()).contains("`127.0.0.*`", "`127.0.*`", " deny it");
    }

    @Test
    void aDeniedHostThatNothingAllowsIsToBeAllowedToo() throws IOException {
        Denial denial = taught(Map.of("127.0.0.1", DomainRule.DENY), "127.0.0.1");
        assertThat(denial.change().orElseThrow().domains().values()).containsExactly(DomainRule.NONE, DomainRule.ALLOW);
    }

    @Test
    void aStarDoesNotOpenAPrivateAddress() throws IOException {
        assertThat(taught(Map.of("*", DomainRule.ALLOW), "127.0.0.1").rule())
                .contains("private addresses must be named exactly, without a star");
    }

    @Test
    void thePrivateAddressOfANameIsToldToTheClientButNotToTheCommand() throws IOException {
        Denial denial = taught(Map.of("*", DomainRule.ALLOW), "inside.test");
        assertThat(denial.change().orElseThrow().domains())
                .containsOnlyKeys("127.0.0.1:" + denial.port().getAsInt());
        assertThat(get(scenes.getFirst(), "inside.test:81"))
                .contains("403", "inside.test:81 is refused", "the report of the exit")
                .doesNotContain("127.0.0.1");
    }

    @Test
    void aPatternThatNamesAnotherPortIsTold() throws IOException {
        ProxyScene scene = scene(Map.of("db.test:5432", DomainRule.ALLOW));
        assertThat(get(scene, "db.test:80")).contains("`db.test:5432` allows another port only");
    }

    @Test
    void aReviewedHostThatNobodyIsAskedAboutNeedsAnAsker() throws IOException {
        ProxyScene scene = scene(Map.of("up.test", DomainRule.ALLOW));
        scene.review = List.of("up.test");
        assertThat(get(scene, "up.test:80")).contains("take it out of reviewDomains", "403");
        assertThat(scene.proxy().lastDenial().orElseThrow().change()).isEmpty();
    }

    @Test
    void theWordsOfTheClientAreRepeated() throws IOException {
        ProxyScene scene = scene(Map.of());
        scene.questionMs = OptionalLong.of(10_000);
        scene.answering = (request, limit) -> Optional.of(new PolicyAnswer.Deny("not today"));
        get(scene, "a.test:80");
        assertThat(scene.proxy().lastDenial().orElseThrow().rule()).contains("the client did not allow it: not today");
    }

    @Test
    void limitedModeIsExplained() throws IOException {
        ProxyScene scene = scene(Map.of("a.test", DomainRule.ALLOW));
        scene.names.put("a.test", List.of(InetAddress.ofLiteral("192.0.32.8")));
        scene.mode = ProxyMode.LIMITED;
        assertThat(scene.exchange("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n"))
                .contains("{\"mode\":\"full\"} in networkProxy.proxy");
        assertThat(scene.proxy().lastDenial().orElseThrow().change())
                .contains(new ProxyChange(Map.of(), Optional.of(ProxyMode.FULL)));
    }

    @Test
    void thePortsOfTheServerAreOpenedByNothing() throws IOException {
        ProxyScene scene = scene(Map.of("127.0.0.1", DomainRule.ALLOW));
        int own = scene.proxy().httpAddress().getPort();
        assertThat(get(scene, "127.0.0.1:" + own))
                .contains("403", "which nobody reaches")
                .doesNotContain("change");
    }

    @Test
    void observingLetsThroughWhatNothingDeniesAndTellsTheList() throws IOException {
        ProxyScene scene = scene(Map.of("denied.test", DomainRule.DENY, "known.test", DomainRule.ALLOW));
        scene.mode = ProxyMode.OBSERVE;
        for (String host : List.of("a.test", "b.test", "known.test", "denied.test")) {
            scene.names.put(host, List.of(InetAddress.ofLiteral("127.0.0.1")));
        }
        scene.localBinding = true;
        int port = scene.httpServer(new ArrayList<>(), OK);
        assertThat(get(scene, "a.test:" + port)).startsWith("HTTP/1.1 200");
        assertThat(get(scene, "a.test:" + port)).startsWith("HTTP/1.1 200");
        assertThat(get(scene, "b.test:" + port)).startsWith("HTTP/1.1 200");
        assertThat(get(scene, "known.test:" + port)).startsWith("HTTP/1.1 200");
        assertThat(get(scene, "denied.test:" + port)).startsWith("HTTP/1.1 403");
        ProxyChange observed = scene.proxy().observed().orElseThrow();
        assertThat(observed.domains()).containsOnlyKeys("a.test:" + port, "b.test:" + port);
        assertThat(observed.json())
                .isEqualTo("{\"domains\":{\"a.test:%1$d\":\"allow\",\"b.test:%1$d\":\"allow\"}}".formatted(port));
    }

    @Test
    void observingOpensNoPrivateAddress() throws IOException {
        ProxyScene scene = scene(Map.of());
        scene.mode = ProxyMode.OBSERVE;
        assertThat(get(scene, "inside.test:81")).contains("403", "not_allowed_local");
        assertThat(get(scene, "169.254.169.254:80")).contains("403", "not_allowed_local");
        assertThat(scene.proxy().observed()).isEmpty();
    }
}
