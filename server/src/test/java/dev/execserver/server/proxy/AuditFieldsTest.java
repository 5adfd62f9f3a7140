package dev.execserver.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuditFieldsTest {

    private static String fields(String members) {
        String config = "{\"proxy\":{\"enabled\":true,\"enableSocks5\":true,\"enableSocks5Udp\":false,"
                + "\"allowUpstreamProxy\":false,\"dangerouslyAllowAllUnixSockets\":false,\"mode\":\"full\","
                + "\"allowLocalBinding\":false}" + members + "}";
        return AuditFields.of(NetworkProxyConfig.read(JsonSlice.of(config), Dialect.OPEN));
    }

    private static String metadata(String json) {
        return fields(",\"auditMetadata\":" + json);
    }

    @Test
    void idsAndStringsAreFieldsInTheirOrder() {
        assertThat(fields(
                        ",\"auditMetadata\":{\"conversationId\":\"c-1\",\"userEmail\":\"a@b.example\"},\"environmentId\":\"env\","
                                + "\"executionId\":\"exec-1\""))
                .isEqualTo(" environment=\"env\" execution=\"exec-1\" audit.conversationId=\"c-1\""
                        + " audit.userEmail=\"a@b.example\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"auditMetadata\":null", ",\"auditMetadata\":{}", ",\"environmentId\":null"})
    void whoSaysNothingHasNone(String members) {
        assertThat(fields(members)).isEmpty();
    }

    @Test
    void whatIsNoStringIsLeftOut() {
        assertThat(metadata("{\"a\":1,\"b\":null,\"c\":{\"d\":\"e\"},\"f\":[\"g\"],\"h\":true,\"i\":\"j\"}"))
                .isEqualTo(" audit.i=\"j\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    {"a b=\\"c\\n":"x"}           | audit.a_b__c_="x"
                    {"a":"x\\" outcome=\\"ok"}    | audit.a="x\\" outcome=\\"ok"
                    {"a":"one\\ntwo\\u2028three"} | audit.a="one\\u000atwo\\u2028three"
                    {"a":"\\\\"}                  | audit.a="\\\\"
                    """)
    void nothingLooksLikeAnotherFieldOrLine(String json, String field) {
        assertThat(metadata(json)).isEqualTo(" " + field);
    }

    @Test
    void everythingHasItsLimit() {
        assertThat(metadata("{\"" + "n".repeat(AuditFields.MAX_NAME + 1) + "\":\"" + "v".repeat(LogText.MAX_TEXT + 1)
                        + "\"}"))
                .isEqualTo(" audit." + "n".repeat(AuditFields.MAX_NAME) + "=\"" + "v".repeat(LogText.MAX_TEXT) + "\"");
        String many = IntStream.rangeClosed(1, AuditFields.MAX_MEMBERS + 1)
                .mapToObj(i -> "\"m" + i + "\":\"\"")
                .collect(Collectors.joining(",", "{", "}"));
        assertThat(metadata(many))
                .contains(" audit.m" + AuditFields.MAX_MEMBERS + "=")
                .doesNotContain("audit.m" + (AuditFields.MAX_MEMBERS + 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"x\"", "[]", "5"})
    void whatIsNoObjectIsRefused(String json) {
        assertThatThrownBy(() -> metadata(json))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("expected struct");
    }
}
