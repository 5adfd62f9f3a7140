package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Writes members in the forms that several records share. */
public final class JsonFields {

    private JsonFields() {}

    /** Writes the string, or null. */
    public static void orNull(JsonGenerator g, String name, Optional<String> value) throws IOException {
        g.writeFieldName(name);
        if (value.isPresent()) {
            g.writeString(value.get());
        } else {
            g.writeNull();
        }
    }

    /** Writes the number, or null. */
    public static void orNull(JsonGenerator g, String name, OptionalLong value) throws IOException {
        g.writeFieldName(name);
        if (value.isPresent()) {
            g.writeNumber(value.getAsLong());
        } else {
            g.writeNull();
        }
    }

    /** Writes the number, or null. */
    public static void orNull(JsonGenerator g, String name, OptionalInt value) throws IOException {
        g.writeFieldName(name);
        if (value.isPresent()) {
            g.writeNumber(value.getAsInt());
        } else {
            g.writeNull();
        }
    }

    /** Writes the value, or null. */
    public static void valueOrNull(JsonGenerator g, String name, Optional<? extends JsonWritable> value)
            throws IOException {
        g.writeFieldName(name);
        if (value.isPresent()) {
            value.get().writeTo(g);
        } else {
            g.writeNull();
        }
    }

    /** Writes the received JSON unchanged, or null. */
    public static void sliceOrNull(JsonGenerator g, String name, Optional<JsonSlice> value) throws IOException {
        g.writeFieldName(name);
        g.writeRawValue(value.orElse(JsonSlice.NULL).toString());
    }

    /** Writes the member, or nothing if the value is empty. */
    public static void ifPresent(JsonGenerator g, String name, OptionalLong value) throws IOException {
        if (value.isPresent()) {
            g.writeNumberField(name, value.getAsLong());
        }
    }

    /** Writes the member, or nothing if the value is empty. */
    public static void ifPresent(JsonGenerator g, String name, Optional<String> value) throws IOException {
        if (value.isPresent()) {
            g.writeStringField(name, value.get());
        }
    }

    /** Writes an array. */
    public static void values(JsonGenerator g, List<? extends JsonWritable> values) throws IOException {
        g.writeStartArray();
        for (JsonWritable value : values) {
            value.writeTo(g);
        }
        g.writeEndArray();
    }

    public static void strings(JsonGenerator g, String name, List<String> values) throws IOException {
        g.writeFieldName(name);
        strings(g, values);
    }

    /** Writes an array of strings. */
    public static void strings(JsonGenerator g, List<String> values) throws IOException {
        g.writeStartArray();
        for (String value : values) {
            g.writeString(value);
        }
        g.writeEndArray();
    }

    /** Writes an object in the order of the map. */
    public static void stringMap(JsonGenerator g, String name, Map<String, String> values) throws IOException {
        g.writeObjectFieldStart(name);
        for (Map.Entry<String, String> entry : values.entrySet()) {
            g.writeStringField(entry.getKey(), entry.getValue());
        }
        g.writeEndObject();
    }
}
