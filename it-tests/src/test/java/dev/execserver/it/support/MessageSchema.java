package dev.execserver.it.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Compares messages with {@code docs/schema/exec.json}: params that the server has understood are valid, params that it could not
 * read are not, and what the server sends has no member that the schema does not describe.
 */
final class MessageSchema {
    static final MessageSchema EXEC = new MessageSchema("exec");

    /** Larger messages are not looked at, they are long texts. */
    private static final int MOST_CHARACTERS = 64 * 1024;

    private static final int INVALID_PARAMS = -32602;

    /**
     * Errors about the form of params. Others are about values, or about more than one member. The padding of Base64 is not in
     * the pattern of the schema, which would be slow for long texts.
     */
    private static final Pattern FORM = Pattern.compile(
            "^(invalid type|missing field|invalid value: integer|`chunk` is not valid Base64: Invalid symbol)");

    /** Errors of the strict dialect about forms that the open one accepts; the schema describes the open one. */
    private static final Pattern STRICT = Pattern.compile("windowsSandboxLevel|writeId");

    private final JsonNode document;
    private final JsonNode closed;
    private final SchemaRegistry registry = SchemaRegistry.withDialect(Dialects.getDraft202012());
    private final Map<String, Schema> open = new ConcurrentHashMap<>();
    private final Map<String, Schema> strict = new ConcurrentHashMap<>();

    private MessageSchema(String dialect) {
        Path file = Path.of(System.getProperty("exec.server.repository", ".."), "docs/schema", dialect + ".json");
        try {
            document = Json.parse(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        closed = document.get("$defs").deepCopy();
        close(closed);
    }

    private static void close(JsonNode node) {
        if (node instanceof ObjectNode object && object.has("properties") && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
        node.forEach(MessageSchema::close);
    }

    /** Returns what is wrong with a request of the client and its answer. */
    List<String> exchange(JsonNode request, JsonNode answer) {
        JsonNode row = document.get("x-methods").path(request.path("method").asText());
        JsonNode params = request.path("params");
        List<String> problems = new ArrayList<>();
        if (!row.path("sender").asText().equals("client")) {
            return problems;
        }
        if (answer.has("result")) {
            problems.addAll(problems(open, row.path("params"), params));
            problems.addAll(problems(strict, row.path("result"), answer.get("result")));
        } else {
            problems.addAll(problems(strict, reference("Error"), answer.path("error")));
            if (formIsWrong(answer.path("error"), params)
                    && row.has("params")
                    && problems(open, row.get("params"), params).isEmpty()) {
                problems.add("the schema accepts params that the server cannot read: " + answer);
            }
        }
        return problems;
    }

    /** Returns what is wrong with a message of the server that answers nothing. */
    List<String> unasked(JsonNode message) {
        JsonNode row = document.get("x-methods").path(message.path("method").asText());
        return row.path("sender").asText().equals("server")
                ? problems(strict, row.path("params"), message.path("params"))
                : List.of();
    }

    private static boolean formIsWrong(JsonNode error, JsonNode params) {
        String text = error.path("message").asText();
        return error.path("code").asInt() == INVALID_PARAMS
                && params.isObject()
                && !params.has("sandbox") // forms of older releases are described loosely
                && FORM.matcher(text).find()
                && !STRICT.matcher(text).find();
    }

    private static JsonNode reference(String type) {
        return Json.object("$ref", "#/$defs/" + type);
    }

    private List<String> problems(Map<String, Schema> schemas, JsonNode reference, JsonNode value) {
        if (!reference.has("$ref") || value.isMissingNode()) {
            return List.of();
        }
        String text = value.toString();
        if (text.length() > MOST_CHARACTERS) {
            return List.of();
        }
        String name = reference.get("$ref").asText();
        Schema schema = schemas.computeIfAbsent(name, _ -> make(name, schemas == strict));
        return schema.validate(text, InputFormat.JSON).stream()
                .map(error -> name + error.getInstanceLocation() + ": " + error.getMessage())
                .toList();
    }

    private Schema make(String name, boolean withoutUnknownMembers) {
        ObjectNode root = Json.object("$schema", document.get("$schema").asText(), "$ref", name);
        root.set("$defs", withoutUnknownMembers ? closed : document.get("$defs"));
        return registry.getSchema(root.toString(), InputFormat.JSON);
    }
}
