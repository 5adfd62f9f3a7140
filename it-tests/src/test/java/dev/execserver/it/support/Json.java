package dev.execserver.it.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Makes and parses JSON in one line, so that tests show messages as they are sent. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static {
        // Answers of up to 64 MiB are legal in this protocol; the parser's default limit on strings is 20 MB.
        MAPPER.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(128 << 20)
                        .build());
    }

    private Json() {}

    /** Returns an object of alternating names and values; a {@code null} value becomes JSON null. */
    public static ObjectNode object(Object... namesAndValues) {
        ObjectNode node = MAPPER.createObjectNode();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            node.set((String) namesAndValues[i], MAPPER.valueToTree(namesAndValues[i + 1]));
        }
        return node;
    }

    public static JsonNode value(Object value) {
        return MAPPER.valueToTree(value);
    }

    public static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + text, e);
        }
    }

    static JsonNode parse(byte[] text) {
        try {
            return MAPPER.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException("not JSON: " + new String(text, StandardCharsets.UTF_8), e);
        }
    }

    public static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    public static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    public static String base64(String text) {
        return base64(text.getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] bytes(JsonNode base64) {
        return Base64.getDecoder().decode(base64.textValue());
    }
}
