package dev.execserver.protocol.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParamsReaderTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "null | invalid type: null, expected struct InitializeParams",
                "5 | invalid type: integer `5`, expected struct InitializeParams",
                "\"x\" | invalid type: string \"x\", expected struct InitializeParams",
                "[] | invalid type: sequence, expected struct InitializeParams",
                "true | invalid type: boolean `true`, expected struct InitializeParams",
                "1.5 | invalid type: floating point `1.5`, expected struct InitializeParams",
            })
    void paramsMustBeAnObject(String json, String text) {
        assertInvalid(() -> ParamsReader.of(JsonSlice.of(json), "InitializeParams"), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "5 | invalid type: integer `5`, expected a string",
                "null | invalid type: null, expected a string",
                "{\"a\":[]} | invalid type: map, expected a string",
            })
    void stringsMustBeStrings(String json, String text) {
        assertInvalid(() -> read(json, ParamsReader::string), text);
        assertInvalid(() -> read(json, ParamsReader::base64), text);
    }

    @Test
    void booleansMustBeBooleans() {
        assertThat(read("true", ParamsReader::bool)).isTrue();
        assertInvalid(() -> read("\"x\"", ParamsReader::bool), "invalid type: string \"x\", expected a boolean");
        assertInvalid(() -> read("null", ParamsReader::bool), "invalid type: null, expected a boolean");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "-1 | invalid value: integer `-1`, expected u64",
                "-9223372036854775809 | invalid type: floating point `-9223372036854775809`, expected u64",
                "18446744073709551616 | invalid type: floating point `18446744073709551616`, expected u64",
                "1.0 | invalid type: floating point `1.0`, expected u64",
                "1e3 | invalid type: floating point `1e3`, expected u64",
                "\"1\" | invalid type: string \"1\", expected u64",
                "null | invalid type: null, expected u64",
            })
    void unsignedNumbersAreIntegersFromZero(String json, String text) {
        assertInvalid(() -> read(json, ParamsReader::u64), text);
    }

    @Test
    void unsignedNumbersBeyondALongBecomeTheLargestLong() {
        assertThat(read("9223372036854775807", ParamsReader::u64)).isEqualTo(Long.MAX_VALUE);
        assertThat(read("9223372036854775808", ParamsReader::u64)).isEqualTo(Long.MAX_VALUE);
        assertThat(read("18446744073709551615", ParamsReader::u64OrNull)).isEqualTo(OptionalLong.of(Long.MAX_VALUE));
    }

    @Test
    void signedNumbersKeepTheirRange() {
        assertThat(read("-2147483648", ParamsReader::i32)).isEqualTo(Integer.MIN_VALUE);
        assertInvalid(() -> read("2147483648", ParamsReader::i32), "invalid value: integer `2147483648`, expected i32");
        assertThat(read("null", ParamsReader::i32OrNull)).isEqualTo(OptionalInt.empty());
        assertInvalid(() -> read("1.5", ParamsReader::i64), "invalid type: floating point `1.5`, expected i64");
    }

    @Test
    void nullStandsForAbsentWhereItMay() {
        assertThat(read("null", ParamsReader::stringOrNull)).isEmpty();
        assertThat(read("null", ParamsReader::boolOrNull)).isEmpty();
        assertThat(read("null", ParamsReader::u64OrNull)).isEqualTo(OptionalLong.empty());
        assertThat(read("null", ParamsReader::stringsOrNull)).isEmpty();
        assertThat(read("null", ParamsReader::sliceOrNull)).isEmpty();
        assertThat(read("\"\"", ParamsReader::stringOrNull)).contains("");
    }

    @Test
    void membersThatNobodyReadsAreSkipped() {
        JsonSlice params = JsonSlice.of("{\"x\":{\"a\":[{}]},\"y\":[1,[2]],\"a\":\"1\",\"z\":null}");
        ParamsReader in = ParamsReader.of(params, "X");
        String a = null;
        while (in.next()) {
            if (in.name().equals("a")) {
                a = in.string();
            }
        }
        assertThat(a).isEqualTo("1");
        assertThat(in.required("a", a)).isEqualTo("1");
        assertInvalid(() -> in.required("argv", null), "missing field `argv`");
    }

    @Test
    void listsAndMapsKeepTheirOrder() {
        assertThat(read("[\"b\",\"a\",\"b\"]", ParamsReader::strings)).containsExactly("b", "a", "b");
        assertThat(read("{\"b\":\"1\",\"a\":\"\\u0000\"}", ParamsReader::stringMap)
                        .keySet())
                .containsExactly("b", "a");
        assertInvalid(() -> read("[1]", ParamsReader::strings), "invalid type: integer `1`, expected a string");
        assertInvalid(() -> read("\"a\"", ParamsReader::strings), "invalid type: string \"a\", expected a sequence");
        assertInvalid(() -> read("[]", ParamsReader::stringMap), "invalid type: sequence, expected a map");
        assertInvalid(() -> read("{\"a\":null}", ParamsReader::stringMap), "invalid type: null, expected a string");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\": [1, \"}\"]}", "[ ]", "\"q\\\"\\\\\"", "\"\"", "-12.5e+3", "false", "{}"})
    void aSliceIsExactlyTheBytesOfItsValue(String json) {
        assertThat(read(json, ParamsReader::sliceOrNull)).contains(JsonSlice.of(json));
        JsonSlice spaced = JsonSlice.of("{\"m\" : " + json + " ,\"n\":1}");
        ParamsReader in = ParamsReader.of(spaced, "X");
        in.next();
        assertThat(in.slice()).hasToString(json);
        assertThat(in.next()).isTrue();
        assertThat(in.name()).isEqualTo("n");
    }

    @Test
    void nestedStructuresAreReadInPlace() {
        JsonSlice params = JsonSlice.of("{\"list\":[{\"v\":\"1\",\"more\":[]},{\"v\":\"2\"}],\"last\":true}");
        ParamsReader in = ParamsReader.of(params, "X");
        in.next();
        List<String> values = in.structs("V", ParamsReaderTest::value);
        assertThat(values).containsExactly("1", "2");
        assertThat(in.next()).isTrue();
        assertThat(in.bool()).isTrue();
        assertThat(in.next()).isFalse();
        assertInvalid(
                () -> read("[null]", inner -> inner.structs("V", ParamsReaderTest::value)),
                "invalid type: null, expected struct V");
        Optional<String> none = read("null", inner -> inner.structOrNull("V", ParamsReaderTest::value));
        assertThat(none).isEmpty();
    }

    @Test
    void base64IsReadWithAndWithoutEscapes() {
        byte[] expected = "?>?>".getBytes(StandardCharsets.UTF_8);
        assertThat(bytes("\"Pz4/Pg==\"")).isEqualTo(expected);
        assertThat(bytes("\"Pz4\\/Pg==\"")).isEqualTo(expected);
        assertThat(bytes("\"\\u0050z4/Pg==\"")).isEqualTo(expected);
        assertThat(bytes("\"\"")).isEmpty();
    }

    @Test
    void base64FailuresNameTheMemberInTheOpenDialect() {
        assertThatThrownBy(() -> read("\"%\"", in -> in.base64("x", Dialect.OPEN)))
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.code()).isEqualTo(-32602))
                .hasMessage("`x` is not valid Base64: Invalid symbol 37, offset 0.");
        assertThatThrownBy(() -> read("\"%\"", in -> in.base64("x", Dialect.STRICT)))
                .hasMessage("Invalid symbol 37, offset 0.");
    }

    @Test
    void longTextsAreCutInErrors() {
        assertThatThrownBy(() -> read("\"" + "x".repeat(100_000) + "\"", ParamsReader::bool))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
    }

    @Test
    void bytesThatAreNotUtf8ShowAsReplacement() {
        byte[] json = "{\"m\":\"?\"}".getBytes(StandardCharsets.UTF_8);
        json[6] = (byte) 0xC3;
        ParamsReader in = ParamsReader.of(JsonSlice.of(json, 0, json.length), "X");
        in.next();
        assertThat(in.string()).isEqualTo("\ufffd");
    }

    @Test
    void escapesAreDecoded() {
        assertThat(read("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\uDE00ä\"", ParamsReader::string))
                .isEqualTo("a\"\\/\b\f\n\r\té😀ä");
        assertThat(read("{\"\\u0061\":\"\\u0000\"}", ParamsReader::stringMap)).containsExactly(Map.entry("a", "\0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud800", "\\udc00", "\\ud800x", "\\ud800\\ud800\\udc00", "\\udc00\\ud800"})
    void halfASurrogatePairIsNoString(String escapes) {
        assertInvalid(() -> read('"' + escapes + '"', ParamsReader::string), "lone surrogate in hex escape");
    }

    private static String value(ParamsReader in) {
        String value = null;
        while (in.next()) {
            if (in.name().equals("v")) {
                value = in.string();
            }
        }
        return in.required("v", value);
    }

    private static byte[] bytes(String json) {
        return read(json, ParamsReader::base64);
    }

    private static <T> T read(String json, Function<ParamsReader, T> reader) {
        ParamsReader in = ParamsReader.of(JsonSlice.of("{\"m\":" + json + "}"), "X");
        assertThat(in.next()).isTrue();
        assertThat(in.name()).isEqualTo("m");
        T value = reader.apply(in);
        assertThat(in.next()).isFalse();
        return value;
    }

    private static void assertInvalid(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String text) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCodes.INVALID_PARAMS))
                .hasMessage(text);
    }

    @Test
    void aStringHasABound() {
        String longest = "\"" + "a".repeat(ParamsReader.MAX_STRING_BYTES - 2) + "\"";
        assertThat(stringOf(longest)).hasSize(ParamsReader.MAX_STRING_BYTES - 2);
        assertThatThrownBy(() -> stringOf("\"a" + longest.substring(1)))
                .isInstanceOf(RpcException.class)
                .hasMessage("a string of 16777217 bytes is above the limit of 16777216 bytes");
    }

    private static String stringOf(String json) {
        ParamsReader in = ParamsReader.of(JsonSlice.of("{\"a\":" + json + "}"), "A");
        assertThat(in.next()).isTrue();
        return in.string();
    }
}
