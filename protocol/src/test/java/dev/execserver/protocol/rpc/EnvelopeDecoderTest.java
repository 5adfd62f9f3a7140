package dev.execserver.protocol.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeDecoderTest {

    @Test
    void aRequestHasIdMethodAndTheBytesOfItsParams() throws Exception {
        Request request = (Request) decode("{\"id\":1,\"method\":\"m\",\"params\":{\"a\":[1,2]}}");
        assertThat(request.id()).isEqualTo(RequestId.of(1));
        assertThat(request.method()).isEqualTo("m");
        assertThat(request.params()).hasToString("{\"a\":[1,2]}");
    }

    @Test
    void membersMayStandInAnyOrderAmongUnknownOnes() throws Exception {
        Request request = (Request)
                decode("{\"params\": null ,\"x\":{\"id\":9},\"method\":\"m\",\"jsonrpc\":\"1.0\",\"id\":\"\"}");
        assertThat(request).isEqualTo(new Request(RequestId.of(""), "m", JsonSlice.NULL, 7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[ 1 ]", "\"a\\\"b\"", "-1.5e3", "true", "null", "\"\"", "{\"a\" : \"}\"}"})
    void paramsAreExactlyTheBytesOfTheirValueWhateverStandsAroundThem(String params) throws Exception {
        assertThat(paramsOf("{\"method\":\"m\",\"params\":" + params + "}")).hasToString(params);
        assertThat(paramsOf("{\"params\" : \n" + params + "\t ,\r\n \"method\":\"m\"}"))
                .hasToString(params);
        assertThat(paramsOf("{\"method\":\"m\",\"params\":\t" + params + " \n}  \n"))
                .hasToString(params);
    }

    @Test
    void aMessageInTheMiddleOfABufferIsReadThere() throws Exception {
        byte[] bytes = "}{{\"method\":\"m\",\"params\":[7]}]x".getBytes(StandardCharsets.UTF_8);
        Notification read = (Notification) EnvelopeDecoder.decode(bytes, 2, bytes.length - 4);
        assertThat(read.params()).hasToString("[7]");
        assertThat(read.params().buffer()).isSameAs(bytes);
    }

    @Test
    void withoutIdItIsANotification() throws Exception {
        assertThat(decode("{\"method\":\"initialized\"}")).isEqualTo(new Notification("initialized", JsonSlice.NULL));
    }

    @Test
    void withMethodAndResultItIsARequest() throws Exception {
        assertThat(decode("{\"id\":1,\"method\":\"m\",\"result\":{}}")).isInstanceOf(Request.class);
    }

    @Test
    void anAnswerHasAResultWhichMayBeNull() throws Exception {
        assertThat(decode("{\"id\":1,\"result\":null}")).isEqualTo(new Response(RequestId.of(1), JsonSlice.NULL));
    }

    @Test
    void anErrorHasCodeMessageAndPerhapsData() throws Exception {
        assertThat(decode("{\"error\":{\"code\":-32600,\"message\":\"no\"},\"id\":-1}"))
                .isEqualTo(new ErrorResponse(RequestId.MALFORMED, new RpcError(-32600, "no", Optional.empty())));
        ErrorResponse withData =
                (ErrorResponse) decode("{\"error\":{\"data\":[1],\"message\":\"no\",\"code\":1},\"id\":\"x\"}");
        assertThat(withData.error().data()).contains(JsonSlice.of("[1]"));
    }

    @Test
    void wellTypedTracesAreIgnored() throws Exception {
        assertThat(decode("{\"id\":12,\"method\":\"m\",\"trace\":{\"traceparent\":\"00-1-2-01\",\"more\":5}}"))
                .isInstanceOf(Request.class);
        assertThat(decode("{\"id\":12,\"method\":\"m\",\"trace\":null}")).isInstanceOf(Request.class);
        assertThat(decode("{\"id\":12,\"result\":1,\"trace\":5}")).isInstanceOf(Response.class);
    }

    @Test
    void theTraceOfANotificationIsIgnoredWhateverItIs() throws Exception {
        assertThat(decode("{\"method\":\"m\",\"trace\":5}")).isInstanceOf(Notification.class);
        assertThat(decode("{\"method\":\"m\",\"trace\":{\"traceparent\":5}}")).isInstanceOf(Notification.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775807", "-9223372036854775808", "-5", "0"})
    void idsOfSixtyFourBitsAreExact(String id) throws Exception {
        assertThat(((Request) decode("{\"id\":" + id + ",\"method\":\"m\"}")).id())
                .isEqualTo(RequestId.of(Long.parseLong(id)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"null", "1.5", "1e2", "9223372036854775808", "-9223372036854775809", "[]", "{\"a\":1}", "true"})
    void otherIdsAreMalformed(String id) {
        assertMalformed(
                "{\"id\":" + id + ",\"method\":\"m\"}", "data did not match any variant of untagged enum RequestId");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "{\"id\":12,\"method\":\"m\",\"trace\":{\"traceparent\":5}} | invalid type: number, expected a string",
                "{\"method\":5,\"id\":1} | invalid type: number, expected a string",
                "{\"method\":null} | invalid type: null, expected a string",
                "{\"id\":12,\"id\":13,\"method\":\"m\"} | duplicate JSON object key `id` at line 1 column 13",
                "{\"id\":12,\"method\":\"process/terminate\",\"params\":{\"processId\":\"a\",\"processId\":\"b\"}} | duplicate JSON object key `processId` at line 1 column 75",
                "{\"id\":1,\"\\u0069d\":2} | duplicate JSON object key `id` at line 1 column 17",
                "{} | missing field `error`",
                "{\"id\":1} | missing field `error`",
                "{\"result\":1} | missing field `id`",
                "{\"id\":1,\"error\":{\"code\":1}} | missing field `message`",
                "{\"id\":1,\"error\":null} | invalid type: null, expected struct JSONRPCErrorError",
                "'' | EOF while parsing a value at line 1 column 0",
                "'  ' | EOF while parsing a value at line 1 column 2",
                "[] | expected a JSON-RPC object",
                "[{\"id\":1,\"method\":\"m\"}] | expected a JSON-RPC object",
                "5 | expected a JSON-RPC object",
                "\"x\" | expected a JSON-RPC object",
                "x | expected value at line 1 column 1",
                "{\"id\":1,\"method\":\"environment/status\"} {\"id\":2} | trailing characters at line 1 column 40",
                "{\"method\":\"m\"}] | trailing characters at line 1 column 15",
                "{\"method\":\"m | EOF while parsing a string at line 1 column 12",
                "{\"method\":\"m\" | EOF while parsing an object at line 1 column 13",
                "{\"params\":[1 | EOF while parsing a list at line 1 column 12",
                "{\"params\":[1, | EOF while parsing a value at line 1 column 13",
                "{\"a\":1, | EOF while parsing a value at line 1 column 7",
                "{\"a\": | EOF while parsing a value at line 1 column 5",
                "{\"a\" | EOF while parsing an object at line 1 column 4",
                "{ | EOF while parsing an object at line 1 column 1",
                "{\"a\":tr | EOF while parsing a value at line 1 column 7",
                "{\"a\":tru} | expected ident at line 1 column 9",
                "{\"a\":1,} | trailing comma at line 1 column 8",
                "{\"a\":[1,]} | trailing comma at line 1 column 9",
                "{\"a\":1 2} | expected `,` or `}` at line 1 column 8",
                "{\"a\":[1 2]} | expected `,` or `]` at line 1 column 9",
                "{\"a\" 1} | expected `:` at line 1 column 6",
                "{a:1} | key must be a string at line 1 column 2",
                "{\"a\":01} | invalid number at line 1 column 7",
                "{\"a\":1.} | invalid number at line 1 column 8",
                "{\"a\":+1} | expected value at line 1 column 6",
                "{\"a\":\"\\x\"} | invalid escape at line 1 column 8",
                "{\"a\":\"\t\"} | control character (\\u0000-\\u001F) found while parsing a string at line 1 column 7",
                "{\"id\":\"\\ud800\",\"method\":\"m\"} | lone surrogate in hex escape",
            })
    void malformedMessagesAreNamedInTheWordsOfTheReference(String message, String text) {
        assertMalformed(message, text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":01}",
                "{\"a\":+1}",
                "{\"a\":NaN}",
                "{\"a\":'b'}",
                "{a:1}",
                "{\"a\":1,}",
                "{\"a\":[1,]}",
                "{\"a\":1 \"b\":2}",
                "{\"a\":\"\t\"}",
                "{\"a\":\"\\x\"}",
                "{/**/\"a\":1}",
                "{\"a\":tru}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":-}",
                "{\"a\":1.}"
            })
    void whatIsNotJsonIsMalformed(String message) {
        assertThatThrownBy(() -> decode(message))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining(" at line 1 column ");
    }

    @Test
    void binaryGarbageIsMalformed() {
        byte[] garbage = {(byte) 0xFF, (byte) 0xFE, '{', 0};
        assertThatThrownBy(() -> EnvelopeDecoder.decode(garbage, 0, 4))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("expected value at line 1 column 1");
    }

    @Test
    void utf16IsNotGuessed() {
        byte[] utf16 = "{\"method\":\"m\"}".getBytes(StandardCharsets.UTF_16LE);
        assertThatThrownBy(() -> EnvelopeDecoder.decode(utf16, 0, utf16.length))
                .isInstanceOf(MalformedMessageException.class);
    }

    static JsonRpcMessage decode(String message) throws MalformedMessageException {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        return EnvelopeDecoder.decode(bytes, 0, bytes.length);
    }

    private static JsonSlice paramsOf(String message) throws MalformedMessageException {
        return ((Notification) decode(message)).params();
    }

    private static void assertMalformed(String message, String text) {
        assertThatThrownBy(() -> decode(message))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage(text);
    }
}
