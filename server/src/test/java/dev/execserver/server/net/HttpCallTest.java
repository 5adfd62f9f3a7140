package dev.execserver.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.protocol.rpc.RpcException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that redirects are followed as in the reference server, whose requests were measured on the wire. */
class HttpCallTest {

    private static final HeaderFields FIELDS = new HeaderFields(List.of(
            new HeaderFields.Field("content-type", "t", false),
            new HeaderFields.Field("authorization", "a", false),
            new HeaderFields.Field("referer", "http://old/", false)));

    private static HttpCall redirected(String method, int status, String from, String to) {
        return new HttpCall(method, RequestUrl.parse(from), FIELDS, new byte[4])
                .redirected(status, RequestUrl.parse(to));
    }

    @ParameterizedTest
    @CsvSource({
        "301, POST, GET, 0",
        "302, POST, GET, 0",
        "301, PUT, PUT, 4",
        "302, DELETE, DELETE, 4",
        "303, PUT, GET, 0",
        "303, HEAD, HEAD, 4",
        "303, GET, GET, 4",
        "307, POST, POST, 4",
        "308, POST, POST, 4"
    })
    void theStatusSaysWhatBecomesOfMethodAndBody(int status, String method, String next, int bodyBytes) {
        HttpCall call = redirected(method, status, "http://a/x", "http://a/y");
        assertThat(call.method()).isEqualTo(next);
        assertThat(call.body()).hasSize(bodyBytes);
        assertThat(call.headers().contains("content-type")).isEqualTo(bodyBytes > 0);
        assertThat(call.headers().contains("authorization")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "http://a/x?q, http://a/y, http://a/x?q",
        "http://a/x, http://b/y, http://a/",
        "http://a/x, https://a/y, http://a/",
        "https://a/x, http://a/y, ''"
    })
    void theNextServerIsToldWhereFromAsFarAsItShouldKnow(String from, String to, String referer) {
        assertThat(redirected("GET", 302, from, to).headers().fields().stream()
                        .filter(field -> field.name().equals("referer"))
                        .map(HeaderFields.Field::value)
                        .findFirst()
                        .orElse(""))
                .isEqualTo(referer);
    }

    @Test
    void credentialsStayWithTheirOrigin() {
        for (String other : List.of("http://b/", "http://a:81/", "https://a/")) {
            assertThat(redirected("GET", 302, "http://a/", other).headers().contains("authorization"))
                    .isFalse();
        }
    }

    @Test
    void credentialsInTheUrlBecomeAHeaderUnlessThereIsOne() {
        RequestUrl url = RequestUrl.parse("http://us:pw@a/");
        HttpCall call = new HttpCall("GET", url, new HeaderFields(List.of()), new byte[0]).withUserInfo();
        assertThat(call.headers().fields())
                .containsExactly(new HeaderFields.Field("authorization", "Basic dXM6cHc=", false));
        assertThat(new HttpCall("GET", url, FIELDS, new byte[0]).withUserInfo().headers())
                .isEqualTo(FIELDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GE T", "G\n", "é"})
    void aMethodIsAToken(String method) {
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> HttpCall.checkedMethod(method))
                .withMessage("http/request method is invalid: invalid HTTP method");
    }

    @Test
    void connectIsNoRequest() {
        assertThatExceptionOfType(RpcException.class).isThrownBy(() -> HttpCall.checkedMethod("CONNECT"));
        assertThat(HttpCall.checkedMethod("get")).isEqualTo("get");
    }
}
