package dev.execserver.protocol.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Reference pages: one for each message, one for the types that several have, and an index. */
final class ReferencePages {

    private static final String FOLDER = "docs/reference/";
    private static final String NOTE = "<!-- Generated from the code by SchemaFilesTest; do not edit. -->\n\n";

    private final DialectSchema dialect;
    private final Examples examples;
    private final Set<String> ownTypes = new TreeSet<>();

    private ReferencePages(DialectSchema dialect, Examples examples) {
        this.dialect = dialect;
        this.examples = examples;
        dialect.messages().forEach(message -> {
            message.params().ifPresent(ownTypes::add);
            message.result().ifPresent(ownTypes::add);
        });
        ownTypes.removeIf(name -> dialect.messages().stream()
                        .filter(message -> message.params().filter(name::equals).isPresent()
                                || message.result().filter(name::equals).isPresent())
                        .count()
                > 1);
    }

    static Map<String, String> of(DialectSchema dialect, Examples examples) {
        return new ReferencePages(dialect, examples).pages();
    }

    private String prefix() {
        return dialect.dialect().equals("exec") ? "" : dialect.dialect() + "-";
    }

    private Map<String, String> pages() {
        Map<String, String> pages = new LinkedHashMap<>();
        dialect.messages().forEach(message -> pages.put(FOLDER + file(message), page(message)));
        pages.put(FOLDER + prefix() + "types.md", types());
        pages.put(FOLDER + prefix() + "index.md", index());
        return pages;
    }

    private String file(Message message) {
        return prefix() + message.method().replace('/', '-').replace('.', '-') + ".md";
    }

    private String index() {
        StringBuilder out = new StringBuilder(NOTE);
        out.append("# Messages of ").append(dialect.title()).append("\n\n");
        out.append(
                        "Each page has the params, the result and the errors of one message. Types that several share are in [")
                .append("types](")
                .append(prefix())
                .append("types.md).\n");
        for (Message.Kind kind : Message.Kind.values()) {
            List<Message> rows = dialect.messages().stream()
                    .filter(message -> message.kind() == kind)
                    .toList();
            if (!rows.isEmpty()) {
                out.append("\n## ").append(title(kind)).append("\n\n| method | |\n| --- | --- |\n");
                rows.forEach(message -> out.append("| [`%s`](%s) | %s |%n"
                        .formatted(message.method(), file(message), message.summary() + addition(message))));
            }
        }
        return out.toString();
    }

    private static String title(Message.Kind kind) {
        return switch (kind) {
            case CALL -> "Requests of the client";
            case TELL -> "Notifications of the client";
            case ASK -> "Requests of the server";
            case EVENT -> "Notifications of the server";
        };
    }

    private static String addition(Message message) {
        return message.additive() ? " (addition)" : "";
    }

    private String page(Message message) {
        StringBuilder out = new StringBuilder(NOTE);
        out.append("# `")
                .append(message.method())
                .append("`\n\n")
                .append(message.summary())
                .append(".\n\n");
        out.append(
                switch (message.kind()) {
                    case CALL -> "A request of the client.";
                    case TELL -> "A notification of the client.";
                    case ASK -> "A request of the server, which the client answers.";
                    case EVENT -> "A notification of the server.";
                });
        if (message.additive()) {
            out.append(
                    " An addition of this server to the protocol; a server with `--protocol strict` does not have it.");
        }
        if (message.control()) {
            out.append(" It never waits behind ordinary requests.");
        }
        out.append('\n');
        section(out, "Params", message.params(), "The params are not looked at.");
        if (message.kind().request()) {
            section(out, "Result", message.result(), "");
        }
        if (message.kind() == Message.Kind.CALL) {
            errors(out, message);
        }
        examples.of(dialect.dialect(), message)
                .ifPresent(example ->
                        out.append("\n## Example\n\n```json\n").append(example).append("\n```\n"));
        return out.toString();
    }

    private void section(StringBuilder out, String title, Optional<String> type, String otherwise) {
        out.append("\n## ").append(title).append("\n\n");
        if (type.isEmpty()) {
            out.append(otherwise).append('\n');
        } else if (type.get().equals("EmptyResult")) {
            out.append("The empty object.\n");
        } else {
            describe(out, dialect.types().get(type.get()), false);
        }
    }

    private static void errors(StringBuilder out, Message message) {
        out.append("\n## Errors\n\n| code | means |\n| --- | --- |\n");
        OpenRpc.errors().forEach((code, text) -> {
            if (code <= -32600 || message.errors().contains(code)) {
                out.append("| ").append(code).append(" | ").append(text).append(" |\n");
            }
        });
    }

    private String types() {
        StringBuilder out = new StringBuilder(NOTE);
        out.append("# Types of ").append(dialect.title()).append('\n');
        dialect.types().forEach((name, schema) -> {
            if (!ownTypes.contains(name)) {
                out.append("\n## ").append(name).append("\n\n");
                describe(out, schema, true);
            }
        });
        return out.toString();
    }

    private void describe(StringBuilder out, ObjectNode schema, boolean withText) {
        if (withText && schema.has("description")) {
            out.append(sentence(schema.get("description").asText())).append("\n\n");
        }
        if (schema.has("oneOf") || (schema.has("anyOf") && !schema.has("properties"))) {
            JsonNode variants = schema.has("oneOf") ? schema.get("oneOf") : schema.get("anyOf");
            out.append("One of:\n\n");
            variants.forEach(variant -> out.append("- ").append(kind(variant)).append('\n'));
        } else if (schema.path("properties").isEmpty()) {
            out.append("An object without members of its own.\n");
        } else {
            table(out, schema);
        }
    }

    private void table(StringBuilder out, ObjectNode schema) {
        Predicate<String> required = TypeScriptTypes.required(schema);
        out.append("| member | kind | |\n| --- | --- | --- |\n");
        schema.path("properties").properties().forEach(member -> {
            JsonNode value = member.getValue();
            List<String> words = new ArrayList<>();
            words.add(value.path("description").asText().replace("|", "\\|"));
            if (value.path("x-additive").asBoolean() && !words.getFirst().startsWith("addition")) {
                words.add("(addition)");
            }
            if (value.has("default")) {
                words.add("(default `" + value.get("default") + "`)");
            }
            if (value.path("deprecated").asBoolean()) {
                words.add("(of older releases)");
            }
            String name = "`" + member.getKey() + "`" + (required.test(member.getKey()) ? "" : ", optional");
            out.append("| ").append(name).append(" | ").append(kind(value)).append(" | ");
            out.append(String.join(" ", words).strip()).append(" |\n");
        });
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }

    /** Returns the kind of a value in words. Null stands for absent and is not mentioned. */
    private String kind(JsonNode schema) {
        if (schema.has("$ref")) {
            String name = schema.get("$ref").asText().replace("#/$defs/", "");
            return ownTypes.contains(name)
                    ? "`" + name + "`"
                    : "[" + name + "](" + prefix() + "types.md#" + name.toLowerCase(java.util.Locale.ROOT) + ")";
        }
        if (schema.has("const")) {
            return "`" + schema.get("const") + "`";
        }
        if (schema.has("enum")) {
            return list(schema.get("enum"), word -> "`" + word + "`", ", ");
        }
        if (schema.has("oneOf") || (schema.has("anyOf") && !schema.has("properties"))) {
            return list(schema.has("oneOf") ? schema.get("oneOf") : schema.get("anyOf"), this::kind, " or ");
        }
        if (schema.path("type").isArray()) {
            return list(schema.get("type"), name -> kind(name.asText(), schema), " or ");
        }
        return kind(schema.path("type").asText("any"), schema);
    }

    private String kind(String name, JsonNode schema) {
        return switch (name) {
            case "string" ->
                schema.path("contentEncoding").asText().equals("base64")
                        ? "Base64"
                        : schema.path("format").asText().equals("uri") ? "path" : "text";
            case "integer" -> "whole number" + range(schema);
            case "array" -> "list of " + kind(schema.path("items"));
            case "object" -> object(schema);
            case "null" -> "";
            default -> name;
        };
    }

    private static String range(JsonNode schema) {
        boolean narrow = schema.has("maximum") && schema.get("maximum").asDouble() <= 1L << 24;
        return narrow ? ", %s to %s".formatted(schema.get("minimum"), schema.get("maximum")) : "";
    }

    private String object(JsonNode schema) {
        if (schema.path("additionalProperties").isObject()) {
            return "map to " + kind(schema.get("additionalProperties"));
        }
        if (!schema.has("properties")) {
            return "object";
        }
        Predicate<String> required = TypeScriptTypes.required(schema);
        return schema.get("properties").properties().stream()
                .map(member -> "`" + member.getKey() + "`" + (required.test(member.getKey()) ? "" : "?") + ": "
                        + kind(member.getValue()))
                .collect(Collectors.joining("; ", "{ ", " }"));
    }

    private static String list(JsonNode nodes, java.util.function.Function<JsonNode, String> words, String between) {
        return StreamSupport.stream(nodes.spliterator(), false)
                .filter(node -> !node.isNull())
                .map(words)
                .filter(text -> !text.isEmpty())
                .distinct()
                .collect(Collectors.joining(between));
    }
}
