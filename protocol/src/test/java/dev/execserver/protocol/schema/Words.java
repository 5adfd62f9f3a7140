package dev.execserver.protocol.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Replaces references to enums in given schemas: {@code x-words} by the words of an enum, {@code x-flags} by one boolean
 * member for each constant.
 */
final class Words {

    private Words() {}

    static void expand(ProtocolSources sources, JsonNode schema) {
        if (schema instanceof ObjectNode object) {
            if (object.remove("x-words") instanceof JsonNode type) {
                object.set(
                        "enum",
                        Kinds.words(sources.words(sources.get(type.asText()))).get("enum"));
            }
            if (object.remove("x-flags") instanceof JsonNode type) {
                ObjectNode properties = object.putObject("properties");
                sources.words(sources.get(type.asText())).forEach(word -> properties.set(word, Kinds.type("boolean")));
            }
        }
        schema.forEach(child -> expand(sources, child));
    }
}
