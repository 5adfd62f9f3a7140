package dev.execserver.protocol.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.StreamSupport;

/** OpenRPC document of the requests and notifications of the client; those of the server are in {@link AsyncApi}. */
final class OpenRpc {

    static final String TYPES = "#/components/schemas/";

    private static final Map<Integer, String> ERRORS = new LinkedHashMap<>();

    static {
        ERRORS.put(-32600, "The request is not valid now, or names something that does not exist");
        ERRORS.put(-32602, "Params that cannot be read or make no sense");
        ERRORS.put(-32603, "The operating system has refused, or a limit is reached");
        ERRORS.put(-32004, "A file or a file handle does not exist");
        ERRORS.put(-32010, "Another connection holds the session; try again");
    }

    private OpenRpc() {}

    /** Returns the meanings of the error codes. */
    static Map<Integer, String> errors() {
        return ERRORS;
    }

    static ObjectNode document(DialectSchema dialect) {
        ObjectNode document = Kinds.object().put("openrpc", "1.3.2");
        document.set("info", info(dialect));
        ArrayNode methods = document.putArray("methods");
        dialect.messages().stream()
                .filter(message -> message.kind().ofClient())
                .forEach(message -> methods.add(method(dialect, message)));
        components(document, dialect);
        return document;
    }

    static ObjectNode info(DialectSchema dialect) {
        return Kinds.object()
                .put("title", dialect.title())
                .put("version", "1")
                .put(
                        "description",
                        "Runs programs on the server's machine. JSON-RPC 2.0 without its member `jsonrpc`.");
    }

    /** Adds the types, with references of the document's own form. */
    static void components(ObjectNode document, DialectSchema dialect) {
        ObjectNode schemas = document.putObject("components").putObject("schemas");
        dialect.types().forEach((name, schema) -> schemas.set(name, moved(schema.deepCopy(), TYPES)));
        if (dialect.messages().stream().anyMatch(message -> message.kind() == Message.Kind.CALL)) {
            ObjectNode errors = ((ObjectNode) document.get("components")).putObject("errors");
            ERRORS.forEach((code, text) ->
                    errors.putObject("E" + -code).put("code", code).put("message", text));
        }
    }

    static JsonNode moved(JsonNode node, String place) {
        if (node instanceof ObjectNode object && object.get("$ref") instanceof TextNode reference) {
            object.put("$ref", reference.asText().replace("#/$defs/", place));
        }
        node.forEach(child -> moved(child, place));
        return node;
    }

    private static ObjectNode method(DialectSchema dialect, Message message) {
        ObjectNode method = Kinds.object().put("name", message.method()).put("summary", message.summary());
        if (message.additive()) {
            method.put("x-additive", true);
        }
        method.put("paramStructure", "by-name");
        ArrayNode params = method.putArray("params");
        message.params()
                .map(type -> dialect.types().get(type))
                .ifPresent(schema -> schema.path("properties").properties().forEach(member -> {
                    ObjectNode param = params.addObject().put("name", member.getKey());
                    param.put("required", requires(schema, member.getKey()));
                    ObjectNode value = (ObjectNode) moved(member.getValue().deepCopy(), TYPES);
                    if (value.get("description") instanceof TextNode text) {
                        param.put("description", text.asText());
                    }
                    param.set("schema", value);
                }));
        message.result().ifPresent(type -> {
            ObjectNode result = method.putObject("result").put("name", type);
            result.set("schema", Kinds.object().put("$ref", TYPES + type));
            ArrayNode errors = method.putArray("errors");
            ERRORS.keySet().stream()
                    .filter(code -> code <= -32600 || message.errors().contains(code))
                    .forEach(code -> errors.addObject().put("$ref", "#/components/errors/E" + -code));
        });
        return method;
    }

    private static boolean requires(JsonNode schema, String member) {
        return StreamSupport.stream(schema.path("required").spliterator(), false)
                .anyMatch(name -> name.asText().equals(member));
    }
}
