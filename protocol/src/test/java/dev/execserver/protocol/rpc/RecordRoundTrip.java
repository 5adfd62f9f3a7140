package dev.execserver.protocol.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.function.BiFunction;

/** Shorthands for the tests of records. */
public final class RecordRoundTrip {

    private RecordRoundTrip() {}

    public static String json(JsonWritable value) {
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.value(out, value);
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }

    /** Reads the JSON in both dialects, which must agree, and checks that it is written unchanged. */
    public static <T extends JsonWritable> T roundTrip(String json, BiFunction<JsonSlice, Dialect, T> reader) {
        T value = reader.apply(JsonSlice.of(json), Dialect.STRICT);
        assertThat(reader.apply(JsonSlice.of(json), Dialect.OPEN)).isEqualTo(value);
        assertThat(json(value)).isEqualTo(json);
        return value;
    }

    /** Checks that both dialects refuse it with the same text. */
    public static void assertInvalid(String json, BiFunction<JsonSlice, Dialect, ?> reader, String text) {
        for (Dialect dialect : Dialect.values()) {
            assertInvalid(json, dialect, reader, text);
        }
    }

    public static void assertInvalid(
            String json, Dialect dialect, BiFunction<JsonSlice, Dialect, ?> reader, String text) {
        assertThatThrownBy(() -> reader.apply(JsonSlice.of(json), dialect))
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCodes.INVALID_PARAMS))
                .hasMessage(text);
    }
}
