package dev.execserver.server.proxy.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.net.DomainRule;
import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.ProxyMode;
import dev.execserver.server.proxy.ProxyScene;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the lists say about one name of this machine, and a program that uses another one. */
@Timeout(60)
class LocalNamesTest {

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

    /** Rows of a name that the lists mention and another name of the same place. */
    private static final String LOCAL_NAMES = """
            localhost, 127.0.0.1
            localhost, [::1]
            localhost, 127.0.0.2
            localhost, 0.0.0.0
            localhost, [::ffff:127.0.0.1]
            localhost, elsewhere.example
            127.0.0.1, localhost
            127.0.0.1, [::1]
            127.0.0.1, elsewhere.example
            ::1, localhost
            ::1, 127.0.0.1
            127.0.0.2, 127.0.0.1
            127.0.0.2, localhost
            127.0.0.2, elsewhere.example
            127.0.0.2:5432, 127.0.0.1
            0.0.0.0, 127.0.0.1
            ::, 127.0.0.1
            64:ff9b::7f00:1, 127.0.0.1
            db.localhost, 127.0.0.1
            db.localhost, localhost
            db.localhost, elsewhere.example
            *.localhost, 127.0.0.1
            127.1.*, 127.0.0.1
            0.0.0.*, 127.0.0.1
            """;

    @ParameterizedTest
    @CsvSource(textBlock = LOCAL_NAMES)
    void inModeObserveAReviewOfOneNameOfThisMachineHoldsForItsOtherNames(String reviewed, String asked)
            throws IOException {
        int port = localService();
        scene.mode = ProxyMode.OBSERVE;
        scene.review = List.of(reviewed);
        scene.questionMs = OptionalLong.of(5000);
        scene.answering = (request, limit) -> Optional.of(new PolicyAnswer.Deny("because"));
        assertThat(get(asked + ":" + port)).isEqualTo("403 because");
        assertThat(scene.asked).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(textBlock = LOCAL_NAMES)
    void inModeObserveADenialOfOneNameOfThisMachineHoldsForItsOtherNames(String denied, String asked)
            throws IOException {
        int port = localService();
        scene.mode = ProxyMode.OBSERVE;
        scene.domains = Map.of(denied, DomainRule.DENY);
        assertThat(get(asked + ":" + port)).isEqualTo("403 denied");
    }

    @ParameterizedTest
    @CsvSource(textBlock = LOCAL_NAMES)
    void anExactRuleForAnotherNameOfThisMachineLeadsRoundNoReview(String reviewed, String asked) throws IOException {
        int port = localService();
        scene.domains = Map.of(asked, DomainRule.ALLOW);
        scene.review = List.of(reviewed);
        scene.questionMs = OptionalLong.of(5000);
        scene.answering = (request, limit) -> Optional.of(new PolicyAnswer.Deny("because"));
        assertThat(get(asked + ":" + port)).isEqualTo("403 because");
    }

    @Test
    void whatTheClientHasAllowedAtAnotherNameIsAskedAboutOnce() throws IOException {
        int port = localService();
        scene.domains = Map.of("elsewhere.example", DomainRule.ALLOW);
        scene.review = List.of("localhost");
        scene.questionMs = OptionalLong.of(5000);
        scene.answering = (request, limit) -> Optional.of(new PolicyAnswer.Allow());
        assertThat(get("elsewhere.example:" + port)).isEqualTo("200");
        assertThat(scene.asked).hasSize(1);
    }

    /** Starts a service of this machine, which is open to the command, and a name of somewhere else that leads to it. */
    private int localService() throws IOException {
        scene.localBinding = true;
        scene.names.put("localhost", List.of(InetAddress.ofLiteral("127.0.0.1")));
        scene.names.put("elsewhere.example", List.of(InetAddress.ofLiteral("127.0.0.1")));
        return scene.httpServer(new ArrayList<>(), OK);
    }
}
