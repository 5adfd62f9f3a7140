package dev.execserver.protocol.net;

import static dev.execserver.protocol.rpc.RecordRoundTrip.assertInvalid;
import static dev.execserver.protocol.rpc.RecordRoundTrip.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests network messages with texts from recorded conversations. */
class NetworkMessagesTest {

    private static final String FLAGS = "\"enabled\":true,\"enableSocks5\":true,\"enableSocks5Udp\":false,"
            + "\"allowUpstreamProxy\":false,\"dangerouslyAllowAllUnixSockets\":false,\"mode\":\"full\",\"allowLocalBinding\":true";

    private static void assertUnchanged(String json, JsonWritable read) {
        assertThat(json(read)).isEqualTo(json);
    }

    @Test
    void aConfigurationIsReadAndWritten() {
        String json =
                "{\"proxy\":{" + FLAGS + ",\"domains\":{\"b.example\":\"deny\",\"a.example\":\"allow\",\"c\":\"none\"},"
                        + "\"reviewDomains\":[\"x\"],\"unixSockets\":{\"/s\":\"allow\"}},\"auditMetadata\":{\"a\":\"b\"},"
                        + "\"environmentId\":\"e\",\"executionId\":\"x\",\"policyDecisionTimeoutMs\":3000}";
        assertUnchanged(json, NetworkProxyConfig.read(JsonSlice.of(json), Dialect.STRICT));
    }

    @Test
    void whatIsAbsentOrNullHasItsDefault() {
        for (String more : new String[] {"", ",\"domains\":null,\"reviewDomains\":null,\"unixSockets\":null"}) {
            NetworkProxyConfig config =
                    NetworkProxyConfig.read(JsonSlice.of("{\"proxy\":{" + FLAGS + more + "}}"), Dialect.STRICT);
            assertThat(config.proxy().domains()).isEmpty();
            assertThat(config.proxy().reviewDomains()).isEmpty();
            assertThat(config.policyDecisionTimeoutMs()).isEmpty();
        }
    }

    @Test
    void everyFlagIsRequired() {
        assertInvalid("{}", NetworkProxyConfig::read, "missing field `proxy`");
        for (String member : FLAGS.split(",")) {
            String name = member.substring(0, member.indexOf(':')).replace("\"", "");
            String rest = (FLAGS + ",").replace(member + ",", "");
            assertInvalid(
                    "{\"proxy\":{" + rest.substring(0, rest.length() - 1) + "}}",
                    NetworkProxyConfig::read,
                    "missing field `" + name + "`");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"decision\":{\"type\":\"allow\"}}",
                "{\"decision\":{\"type\":\"deny\",\"reason\":\"no\"}}",
                "{\"decision\":{\"type\":\"ask\",\"reason\":\"please\"}}"
            })
    void answersAreReadAndWritten(String json) {
        assertUnchanged(json, PolicyAnswer.read(JsonSlice.of(json), Dialect.STRICT));
    }

    @Test
    void questionsAndDecisionsAreReadAndWritten() {
        String question =
                "{\"processId\":\"np1\",\"request\":{\"protocol\":\"https_connect\",\"host\":\"a.example\",\"port\":443}}";
        assertUnchanged(question, PolicyRequest.read(JsonSlice.of(question), Dialect.STRICT));
        String decision = "{\"processId\":\"np1\",\"timestamp\":\"2026-11-27T22:41:42.290Z\",\"scope\":\"domain\","
                + "\"decision\":\"allow\",\"source\":\"decider\",\"reason\":\"not_allowed\",\"protocol\":\"http\","
                + "\"host\":\"a.example\",\"port\":80,\"method\":\"GET\",\"client\":\"127.0.0.1:1\",\"policyOverride\":true}";
        assertUnchanged(decision, PolicyDecision.read(JsonSlice.of(decision), Dialect.STRICT));
    }
}
