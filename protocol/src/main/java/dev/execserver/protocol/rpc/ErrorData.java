package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The {@code data} member of an error: a flat object of strings, integers and booleans in insertion order. An addition
 * to the protocol: the reference server never sends {@code data} and its client ignores it.
 */
public final class ErrorData implements JsonWritable {

    private final Map<String, Object> members;

    private ErrorData(Map<String, Object> members) {
        this.members = Collections.unmodifiableMap(members);
    }

    public static ErrorData empty() {
        return new ErrorData(Map.of());
    }

    /** Reads the members of a received object that are strings, integers or booleans. Skips others. */
    static ErrorData read(JsonSlice object) {
        ErrorData data = empty();
        ParamsReader in = ParamsReader.of(object, "data");
        while (in.next()) {
            String name = in.name();
            JsonSlice value = in.slice();
            data = switch (value.first()) {
                case '"' -> data.with(name, text(value));
                case 't', 'f' -> data.with(name, value.length() == 4);
                default -> data.withInteger(name, value);
            };
        }
        return data;
    }

    private static String text(JsonSlice string) {
        try {
            JsonScanner scanner = string.scanner();
            scanner.next();
            return scanner.text();
        } catch (MalformedMessageException e) {
            throw new IllegalArgumentException("not a JSON string: " + string, e);
        }
    }

    private ErrorData withInteger(String name, JsonSlice value) {
        try {
            return with(name, Long.parseLong(value.toString()));
        } catch (NumberFormatException e) {
            return this;
        }
    }

    public ErrorData with(String name, String value) {
        return plus(name, Objects.requireNonNull(value, name));
    }

    public ErrorData with(String name, long value) {
        return plus(name, value);
    }

    public ErrorData with(String name, boolean value) {
        return plus(name, value);
    }

    public ErrorData with(String name, JsonSlice value) {
        return plus(name, value.detached());
    }

    /** Returns the members. Values are {@code String}, {@code Long}, {@code Boolean} or {@code JsonSlice}. */
    public Map<String, Object> members() {
        return members;
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        for (Map.Entry<String, Object> member : members.entrySet()) {
            g.writeFieldName(member.getKey());
            switch (member.getValue()) {
                case Long number -> g.writeNumber(number);
                case Boolean flag -> g.writeBoolean(flag);
                case JsonSlice json -> json.writeTo(g);
                default -> g.writeString(member.getValue().toString());
            }
        }
        g.writeEndObject();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ErrorData that && members.equals(that.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    @Override
    public String toString() {
        return members.toString();
    }

    private ErrorData plus(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(members);
        more.put(Objects.requireNonNull(name, "name"), value);
        return new ErrorData(more);
    }
}
