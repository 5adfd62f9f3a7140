package dev.execserver.protocol.net;

import static dev.execserver.protocol.rpc.RecordRoundTrip.assertInvalid;
import static dev.execserver.protocol.rpc.RecordRoundTrip.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.environment.ConfigReadParams;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HttpMessagesTest {

    private static HttpRequestParams params(String json) {
        return HttpRequestParams.read(JsonSlice.of(json), Dialect.STRICT);
    }

    @Test
    void whatIsAbsentOrNullHasItsDefault() {
        for (String more : List.of("", ",\"bodyBase64\":null,\"timeoutMs\":null")) {
            HttpRequestParams params =
                    params("{\"method\":\"GET\",\"url\":\"http://x/\",\"requestId\":\"r\"" + more + "}");
            assertThat(params.headers()).isEmpty();
            assertThat(params.body()).isEmpty();
            assertThat(params.timeoutMs()).isEmpty();
            assertThat(params.redirectPolicy()).isEqualTo(RedirectPolicy.FOLLOW);
            assertThat(params.streamResponse()).isFalse();
        }
    }

    @Test
    void everythingIsReadAndWrittenAsItWas() {
        String json = "{\"method\":\"POST\",\"url\":\"http://x/\",\"headers\":[{\"name\":\"a\",\"value\":\"b\"},"
                + "{\"name\":\"a\",\"value\":\"c\",\"valueEnvVar\":\"V\"}],\"bodyBase64\":\"Ym9keQ==\",\"timeoutMs\":5,"
                + "\"redirectPolicy\":\"stop\",\"requestId\":\"r\",\"streamResponse\":true}";
        HttpRequestParams params = params(json);
        assertThat(params.headers().get(1).valueEnvVar()).contains("V");
        assertThat(params.body().orElseThrow().size()).isEqualTo(4);
        assertThat(json(params)).isEqualTo(json);
    }

    @Test
    void theIdMayBeAbsentOnlyForOlderClientsAndWithoutAStream() {
        String plain = "{\"method\":\"GET\",\"url\":\"u\"}";
        assertInvalid(plain, Dialect.STRICT, HttpRequestParams::read, "missing field `requestId`");
        assertThat(HttpRequestParams.read(JsonSlice.of(plain), Dialect.OPEN).requestId())
                .isEmpty();
        assertInvalid(
                "{\"method\":\"GET\",\"url\":\"u\",\"streamResponse\":true}",
                HttpRequestParams::read,
                "missing field `requestId`");
    }

    @Test
    void oddParamsAreNamed() {
        String head = "{\"method\":\"GET\",\"url\":\"u\",\"requestId\":\"r\",";
        assertInvalid("{\"url\":\"u\",\"requestId\":\"r\"}", HttpRequestParams::read, "missing field `method`");
        assertInvalid("{\"method\":\"GET\",\"requestId\":\"r\"}", HttpRequestParams::read, "missing field `url`");
        assertInvalid(
                head + "\"redirectPolicy\":\"x\"}",
                HttpRequestParams::read,
                "unknown variant `x`, expected `follow` or `stop`");
        assertInvalid(head + "\"headers\":[{\"name\":\"a\"}]}", HttpRequestParams::read, "missing field `value`");
        assertInvalid(head + "\"timeoutMs\":-1}", HttpRequestParams::read, "invalid value: integer `-1`, expected u64");
        assertInvalid(
                head + "\"bodyBase64\":1}", HttpRequestParams::read, "invalid type: integer `1`, expected a string");
    }

    @Test
    void resultAndDeltasAreThoseOfTheReference() {
        Base64Data body = Base64Data.ofBytes("one".getBytes(StandardCharsets.UTF_8));
        assertThat(json(new HttpRequestResult(200, List.of(new HttpHeader("a", "1")), body)))
                .isEqualTo("{\"status\":200,\"headers\":[{\"name\":\"a\",\"value\":\"1\"}],\"bodyBase64\":\"b25l\"}");
        assertThat(json(new BodyDelta("s", 1, body, false, Optional.empty())))
                .isEqualTo("{\"requestId\":\"s\",\"seq\":1,\"deltaBase64\":\"b25l\",\"done\":false,\"error\":null}");
        assertThat(json(BodyDelta.last("s", 2, Optional.of("why"))))
                .isEqualTo("{\"requestId\":\"s\",\"seq\":2,\"deltaBase64\":\"\",\"done\":true,\"error\":\"why\"}");
        String read = "{\"requestId\":\"s\",\"seq\":2,\"deltaBase64\":\"\",\"done\":true,\"error\":\"why\"}";
        assertThat(json(BodyDelta.read(JsonSlice.of(read), Dialect.STRICT))).isEqualTo(read);
        String result = "{\"status\":200,\"headers\":[],\"bodyBase64\":\"b25l\"}";
        assertThat(json(HttpRequestResult.read(JsonSlice.of(result), Dialect.STRICT)))
                .isEqualTo(result);
    }

    @Test
    void configurationIsAskedForByPathsOfKeys() {
        String json = "{\"cwd\":\"file:///tmp\",\"configPaths\":[[\"a\",\"b\"]],\"requirementsPaths\":[]}";
        assertThat(json(ConfigReadParams.read(JsonSlice.of(json), Dialect.STRICT)))
                .isEqualTo(json);
        assertInvalid(
                "{\"cwd\":\"file:///tmp\",\"configPaths\":[],\"requirementsPaths\":[]}",
                ConfigReadParams::read,
                "at least one config or requirements path is required");
        assertInvalid(
                "{\"cwd\":\"file:///tmp\",\"configPaths\":[[]],\"requirementsPaths\":[]}",
                ConfigReadParams::read,
                "TOML paths must contain at least one key segment");
        assertInvalid("{\"cwd\":\"file:///tmp\"}", ConfigReadParams::read, "missing field `configPaths`");
    }
}
