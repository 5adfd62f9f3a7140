package dev.execserver.protocol.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Checks values against the types of a committed schema. */
final class Validators {

    private final ObjectNode document;
    private final SchemaRegistry registry = SchemaRegistry.withDialect(Dialects.getDraft202012());
    private final Map<String, Schema> byType = new ConcurrentHashMap<>();

    /** @param closed true to refuse members that the schema does not describe */
    Validators(String dialect, boolean closed) {
        try {
            document = (ObjectNode) new ObjectMapper()
                    .readTree(Files.readString(SchemaFiles.REPOSITORY.resolve("docs/schema/" + dialect + ".json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        document.remove("$id");
        if (closed) {
            close(document.get("$defs"));
        }
    }

    private static void close(JsonNode node) {
        if (node instanceof ObjectNode object && object.has("properties") && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
        node.forEach(Validators::close);
    }

    JsonNode method(String method) {
        return document.path("x-methods").path(method);
    }

    /** Returns what is wrong with a value. */
    List<String> problems(String reference, JsonNode value) {
        Schema schema = byType.computeIfAbsent(reference, name -> {
            ObjectNode root =
                    Kinds.object().put("$schema", document.get("$schema").asText());
            root.put("$ref", name);
            root.set("$defs", document.get("$defs"));
            return registry.getSchema(root.toString(), InputFormat.JSON);
        });
        return schema.validate(value.toString(), InputFormat.JSON).stream()
                .map(error -> error.getInstanceLocation() + ": " + error.getMessage())
                .toList();
    }
}
