package dev.execserver.protocol.schema;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;

/** JSON Schema of the kinds of values that {@link dev.execserver.protocol.rpc.ParamsReader} reads. */
final class Kinds {

    private static final BigInteger MAX_U64 = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

    private Kinds() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ObjectNode type(String name) {
        return object().put("type", name);
    }

    static ObjectNode u64() {
        ObjectNode schema = type("integer").put("format", "uint64").put("minimum", 0);
        schema.put("maximum", MAX_U64);
        return schema;
    }

    static ObjectNode i64() {
        return type("integer")
                .put("format", "int64")
                .put("minimum", Long.MIN_VALUE)
                .put("maximum", Long.MAX_VALUE);
    }

    static ObjectNode i32() {
        return type("integer")
                .put("format", "int32")
                .put("minimum", Integer.MIN_VALUE)
                .put("maximum", Integer.MAX_VALUE);
    }

    static ObjectNode range(long min, long max) {
        return type("integer").put("minimum", min).put("maximum", max);
    }

    static ObjectNode base64() {
        return type("string").put("contentEncoding", "base64").put("pattern", "^[A-Za-z0-9+/]*={0,2}$");
    }

    static ObjectNode path() {
        return type("string").put("format", "uri");
    }

    static ObjectNode array(ObjectNode items) {
        ObjectNode schema = type("array");
        schema.set("items", items);
        return schema;
    }

    static ObjectNode map(ObjectNode values) {
        ObjectNode schema = type("object");
        schema.set("additionalProperties", values);
        return schema;
    }

    static ObjectNode words(Iterable<String> words) {
        ObjectNode schema = type("string");
        ArrayNode values = schema.putArray("enum");
        words.forEach(values::add);
        return schema;
    }

    static ObjectNode reference(String type) {
        return object().put("$ref", "#/$defs/" + type);
    }

    /** Returns the same schema that also accepts null. */
    static ObjectNode nullable(ObjectNode schema) {
        if (schema.isEmpty()) {
            return schema;
        }
        if (schema.has("$ref") || schema.has("anyOf") || schema.has("oneOf")) {
            ObjectNode either = object();
            either.putArray("anyOf").add(schema).add(type("null"));
            return either;
        }
        ObjectNode copy = schema.deepCopy();
        copy.set(
                "type",
                JsonNodeFactory.instance.arrayNode().add(schema.get("type")).add("null"));
        if (copy.get("enum") instanceof ArrayNode words) {
            words.addNull();
        }
        return copy;
    }
}
