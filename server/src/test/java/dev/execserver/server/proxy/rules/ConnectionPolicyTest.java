package dev.execserver.server.proxy.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.net.DomainRule;
import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.server.proxy.ProxyScene;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which targets may be connected to. Uses HTTP, because clients depend on these answers. */
@Timeout(60)
class ConnectionPolicyTest {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    private final ProxyScene scene = new ProxyScene();

    @AfterEach
    void end() throws Exception {
        scene.close();
    }

    private String get(String authority) throws IOException {
        String answer = scene.exchange(
                "GET http://" + authority + "/ HTTP/1.1\r\nHost: " + authority + "\r\nConnection: close\r\n\r\n");
        return answer.substring(9, 12) + reason(answer);
    }

    private static String reason(String answer) {
        int at = answer.indexOf("\"reason\":\"");
        return at < 0 ? "" : " " + answer.substring(at + 10, answer.indexOf('"', at + 10));
    }

    private static List<InetAddress> addresses(String... literals) {
        return java.util.Arrays.stream(literals).map(InetAddress::ofLiteral).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]", "169.254.169.254", "10.0.0.1",
                        "100.64.0.1",
                "localhost", "x.localhost", "localhost.", "127.0.0.1.", "[64:ff9b::7f00:1]", "[::ffff:7f00:1]",
                        "[::ffff:0:7f00:1]", "[::127.0.0.1]",
                "[fe80::1]", "[fd00::1]", "inside.example"
            })
    void aStarAllowsNothingOfThisMachineInAnySpelling(String host) throws IOException {
        scene.domains = Map.of("*", DomainRule.ALLOW);
        scene.names.put("inside.example", addresses("1.1.1.1", "10.1.2.3"));
        scene.questionMs = OptionalLong.of(1000);
        assertThat(get(host + ":81")).isEqualTo("403 not_allowed_local");
        assertThat(scene.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"2130706433", "127.1", "0x7f.1", "0x7f000001", "017700000001", "0177.0.0.1", "0", "127.0.0.01"})
    void anAddressInAnUnusualSpellingIsNoHost(String host) throws IOException {
        scene.domains = Map.of("*", DomainRule.ALLOW);
        scene.names.put(host, addresses("127.0.0.1")); // as the C library reads them
        assertThat(get(host + ":81")).isEqualTo("400");
        assertThat(scene.lookups).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[64:ff9b::5db8:d822]", "[2002:5db8:d822::1]", "[::ffff:93.184.216.34]", "elsewhere.example"})
    void aReviewOfAnAddressHoldsForWhatCarriesIt(String host) throws IOException {
        scene.domains = Map.of(host, DomainRule.ALLOW);
        scene.review = List.of("93.184.216.34");
        scene.names.put("elsewhere.example", addresses("64:ff9b::5db8:d822"));
        scene.questionMs = OptionalLong.of(5000);
        scene.answering = (request, limit) -> Optional.of(new PolicyAnswer.Deny("because"));
        assertThat(get(host + ":81")).isEqualTo("403 because");
        assertThat(scene.asked).hasSize(1);
    }

    @Test
    void whatIsNamedExactlyIsReached() throws IOException {
        int port = scene.httpServer(new ArrayList<>(), OK);
        scene.domains =
                Map.of("localhost", DomainRule.ALLOW, "127.0.0.1", DomainRule.ALLOW, "*.example", DomainRule.ALLOW);
        scene.names.put("localhost", addresses("127.0.0.1"));
        scene.names.put("a.example", addresses("127.0.0.1"));
        assertThat(get("localhost:" + port)).isEqualTo("200");
        assertThat(get("127.0.0.1:" + port)).isEqualTo("200");
        assertThat(get("a.example:" + port)).as("its address is named").isEqualTo("200");
    }

    @Test
    void ipv6LoopbackIsReachedWhenItIsNamed() throws IOException {
        int port = scene.server("::1", (in, out) -> {
            ProxyScene.head(in);
            out.write(ProxyScene.bytes(OK));
        });
        scene.domains = Map.of("[::1]", DomainRule.ALLOW);
        assertThat(get("[::1]:" + port)).isEqualTo("200");
        assertThat(get("[0:0:0:0:0:0:0:1]:" + port)).isEqualTo("200");
    }

    @Test
    void localBindingOpensTheMachineAndItsNetworkButNotTheLink() throws IOException {
        int port = scene.httpServer(new ArrayList<>(), OK);
        scene.localBinding = true;
        scene.domains = Map.of("*", DomainRule.ALLOW, "10.0.0.9", DomainRule.DENY);
        scene.names.put("metadata.example", addresses("169.254.169.254"));
        scene.names.put("sneaky.example", addresses("10.0.0.9"));
        assertThat(get("127.0.0.1:" + port)).isEqualTo("200");
        assertThat(get("169.254.169.254")).isEqualTo("403 not_allowed_local");
        assertThat(get("metadata.example")).isEqualTo("403 not_allowed_local");
        assertThat(get("sneaky.example"))
                .as("a denied address under another name")
                .isEqualTo("403 denied");
    }

    @Test
    void aServiceOfThisMachineIsOneByBothItsNames() throws IOException {
        int port = scene.httpServer(new ArrayList<>(), OK);
        scene.localBinding = true;
        scene.names.put("localhost", addresses("127.0.0.1"));
        scene.domains = Map.of("localhost:" + port, DomainRule.ALLOW);
        assertThat(get("127.0.0.1:" + port)).isEqualTo("200");
        assertThat(get("127.0.0.1:1")).isEqualTo("403 not_allowed");
    }

    @Test
    void aDenialOfOneNameOfThisMachineClosesTheOther() throws IOException {
        int port = scene.httpServer(new ArrayList<>(), OK);
        scene.localBinding = true;
        scene.names.put("localhost", addresses("127.0.0.1"));
        scene.domains = Map.of("localhost:" + port, DomainRule.DENY, "127.0.0.1:" + port, DomainRule.ALLOW);
        assertThat(get("localhost:" + port)).isEqualTo("403 denied");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1"})
    void aServiceOfThisMachineIsAskedAboutByBothItsNames(String reviewed) throws IOException {
        int port = scene.httpServer(new ArrayList<>(), OK);
        scene.localBinding = true;
        scene.names.put("localhost", addresses("127.0.0.1"));
        scene.domains = Map.of(reviewed, DomainRule.ALLOW);
        scene.review = List.of(reviewed);
        scene.questionMs = OptionalLong.of(5000);
        scene.answering = (request, limit) -> Optional.of(new PolicyAnswer.Deny("because"));
        assertThat(get("127.0.0.1:" + port)).isEqualTo("403 because");
        assertThat(get("localhost:" + port)).isEqualTo("403 because");
    }

    @Test
    void noProxyOfThisServerIsReached() throws IOException {
        scene.localBinding = true;
        scene.domains = Map.of("*", DomainRule.ALLOW);
        int own = scene.proxy().httpAddress().getPort();
        assertThat(scene.exchange("GET / HTTP/1.1\r\nHost: 127.0.0.1:" + own + "\r\n\r\n"))
                .startsWith("HTTP/1.1 403");
    }

    @Test
    void theAddressThatWasCheckedIsTheOneThatIsConnectedTo() throws IOException {
        int port = scene.httpServer(new ArrayList<>(), OK);
        scene.domains = Map.of("flip.example", DomainRule.ALLOW, "127.0.0.1", DomainRule.ALLOW);
        scene.names.put("flip.example", addresses("127.0.0.1"));
        assertThat(get("flip.example:" + port)).isEqualTo("200");
        assertThat(scene.lookups).as("nobody asks a second time").hasValue(1);
    }

    @Test
    void aNameThatDoesNotExistIsAllowedAndLeadsNowhere() throws IOException {
        scene.domains = Map.of("gone.example", DomainRule.ALLOW);
        assertThat(get("gone.example")).isEqualTo("502");
        assertThat(scene.decisions)
                .singleElement()
                .matches(decision -> decision.decision().equals("allow"));
    }

    @Test
    void theClientIsAskedAboutWhatTheListsDoNotDecide() throws IOException {
        int port = scene.httpServer(new ArrayList<>(), OK);
        scene.questionMs = OptionalLong.of(5000);
        scene.domains = Map.of("bad.example", DomainRule.DENY, "127.0.0.1", DomainRule.ALLOW);
        for (String name : List.of("yes.example", "no.example", "ask.example", "silent.example")) {
            scene.names.put(name, addresses("127.0.0.1"));
        }
        scene.answering = (request, limit) -> switch (request.host()) {
            case "yes.example" -> Optional.of(new PolicyAnswer.Allow());
            case "no.example" -> Optional.of(new PolicyAnswer.Deny("because"));
            case "ask.example" -> Optional.of(new PolicyAnswer.Ask("please"));
            default -> Optional.empty();
        };
        assertThat(get("yes.example:" + port)).isEqualTo("200");
        assertThat(get("no.example:" + port)).isEqualTo("403 because");
        assertThat(get("ask.example:" + port)).isEqualTo("403 please");
        assertThat(get("silent.example:" + port)).isEqualTo("403 not_allowed");
        assertThat(get("bad.example:" + port)).isEqualTo("403 denied");
        assertThat(scene.asked)
                .extracting(request -> request.host())
                .containsExactly("yes.example", "no.example", "ask.example", "silent.example");
        assertThat(scene.decisions)
                .extracting(d -> d.decision() + " " + d.source() + " " + d.reason() + " " + d.policyOverride())
                .containsExactly(
                        "allow decider not_allowed true",
                        "deny decider because false",
                        "ask decider please false",
                        "deny decider not_allowed false",
                        "deny baseline_policy denied false");
    }

    @Test
    void reviewedHostsAreAskedAboutAlthoughTheyAreAllowed() throws IOException {
        int port = scene.httpServer(new ArrayList<>(), OK);
        scene.review = List.of("127.0.0.1");
        assertThat(get("127.0.0.1:" + port)).as("nobody to ask").isEqualTo("403 not_allowed");
        scene.proxy().close();
    }

    @Test
    void namesThatNobodyAnswersForEndWithTheirLimit() throws IOException {
        scene.domains = Map.of("*.example", DomainRule.ALLOW);
        scene.bounds = new ProxyBounds(
                100,
                1000,
                4096,
                java.time.Duration.ofSeconds(30),
                java.time.Duration.ofSeconds(30),
                java.time.Duration.ofSeconds(30),
                java.time.Duration.ofSeconds(5),
                java.time.Duration.ofSeconds(5),
                java.time.Duration.ofMillis(300),
                1,
                2);
        assertThat(get("hanging.example")).isEqualTo("502");
        assertThat(get("other.example")).as("the one that hangs keeps its room").isEqualTo("502");
        assertThat(scene.lookups).hasValue(1);
    }

    @Test
    void questionsAreBoundedAndOneMoreIsRefusedAtOnce() throws Exception {
        scene.questionMs = OptionalLong.of(30_000);
        scene.domains = Map.of();
        scene.bounds = new ProxyBounds(
                100,
                1000,
                4096,
                java.time.Duration.ofSeconds(30),
                java.time.Duration.ofSeconds(30),
                java.time.Duration.ofSeconds(30),
                java.time.Duration.ofSeconds(5),
                java.time.Duration.ofSeconds(5),
                java.time.Duration.ofSeconds(5),
                2,
                2);
        CountDownLatch bothAsk = new CountDownLatch(2);
        CountDownLatch release = new CountDownLatch(1);
        scene.answering = (request, limit) -> {
            bothAsk.countDown();
            release.await();
            return Optional.of(new PolicyAnswer.Deny("late"));
        };
        List<Socket> waiting = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Socket socket = scene.http();
            socket.getOutputStream()
                    .write(ProxyScene.bytes(
                            "GET http://h" + i + ".example/ HTTP/1.1\r\nHost: h" + i + ".example\r\n\r\n"));
            waiting.add(socket);
        }
        bothAsk.await();
        assertThat(get("third.example")).isEqualTo("403 not_allowed");
        assertThat(scene.asked).hasSize(2);
        release.countDown();
        for (Socket socket : waiting) {
            assertThat(ProxyScene.text(socket.getInputStream().readAllBytes())).contains("\"reason\":\"late\"");
        }
    }
}
