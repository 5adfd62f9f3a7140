package dev.execserver.protocol.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** TypeScript declarations of the types of a dialect, and of its methods. */
final class TypeScriptTypes {

    private static final int WIDTH = 110;

    private final DialectSchema dialect;
    private final StringBuilder out = new StringBuilder();

    private final Set<String> shared;

    private TypeScriptTypes(DialectSchema dialect, Set<String> shared) {
        this.dialect = dialect;
        this.shared = shared;
    }

    /** @param shared types that {@code types.ts} declares */
    static String of(DialectSchema dialect, Set<String> shared) {
        return new TypeScriptTypes(dialect, shared).print();
    }

    private String print() {
        out.append("// Types of the protocol (")
                .append(dialect.title())
                .append("). Generated from docs/schema/")
                .append(dialect.dialect())
                .append(".json; do not edit.\n");
        if (!shared.isEmpty()) {
            String names = "{\n  " + String.join(",\n  ", shared) + ",\n}";
            out.append("import type ").append(names).append(" from './types.js';\n");
            out.append("export type ").append(names).append(";\n");
        }
        dialect.types().forEach((name, schema) -> {
            if (!shared.contains(name)) {
                declare(name, schema);
            }
        });
        methods("Requests", "Requests of the client: params and result by method.", Message.Kind.CALL);
        methods("ServerRequests", "Requests of the server: params and result by method.", Message.Kind.ASK);
        methods("ServerNotifications", "Notifications of the server: params by method.", Message.Kind.EVENT);
        return out.toString();
    }

    private void declare(String name, JsonNode schema) {
        out.append('\n');
        comment("", schema);
        if (schema.path("type").asText().equals("object") && schema.has("properties")) {
            out.append("export interface ").append(name).append(" {\n");
            members(schema, "  ");
            if (schema.path("additionalProperties").isObject()) {
                out.append("  [member: string]: ")
                        .append(type(schema.get("additionalProperties")))
                        .append(" | undefined;\n");
            }
            out.append("}\n");
        } else {
            out.append("export type ").append(name).append(" =");
            variants(schema).forEach(variant -> out.append("\n  | ").append(type(variant)));
            out.append(";\n");
        }
    }

    private static Iterable<JsonNode> variants(JsonNode schema) {
        return schema.has("oneOf") ? schema.get("oneOf") : schema.has("anyOf") ? schema.get("anyOf") : List.of(schema);
    }

    private void members(JsonNode schema, String indent) {
        schema.path("properties").properties().forEach(member -> {
            comment(indent, member.getValue());
            String optional = required(schema).test(member.getKey()) ? "" : "?";
            out.append(indent)
                    .append(member.getKey())
                    .append(optional)
                    .append(": ")
                    .append(type(member.getValue()))
                    .append(";\n");
        });
    }

    static Predicate<String> required(JsonNode schema) {
        return StreamSupport.stream(schema.path("required").spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.toSet())::contains;
    }

    private void comment(String indent, JsonNode schema) {
        List<String> parts = new ArrayList<>();
        parts.add(schema.path("description").asText().replace("*/", "* /"));
        if (schema.path("x-additive").asBoolean() && !parts.getFirst().startsWith("addition")) {
            parts.add("(addition)");
        }
        if (schema.has("default")) {
            parts.add("@default " + schema.get("default"));
        }
        if (schema.path("deprecated").asBoolean()) {
            parts.add("@deprecated");
        }
        String text = String.join(" ", parts).strip();
        if (text.isEmpty()) {
            return;
        }
        List<String> lines = wrapped(text, WIDTH - indent.length());
        if (lines.size() == 1) {
            out.append(indent).append("/** ").append(text).append(" */\n");
        } else {
            out.append(indent).append("/**\n");
            lines.forEach(line -> out.append(indent).append(" * ").append(line).append('\n'));
            out.append(indent).append(" */\n");
        }
    }

    static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + word.length() >= width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private String type(JsonNode schema) {
        if (schema.has("$ref")) {
            return schema.get("$ref").asText().replace("#/$defs/", "");
        }
        if (schema.has("const")) {
            return schema.get("const").toString();
        }
        if (schema.has("enum")) {
            return union(schema.get("enum"), JsonNode::toString);
        }
        if (schema.has("oneOf") || (schema.has("anyOf") && !schema.has("properties"))) {
            return union(schema.has("oneOf") ? schema.get("oneOf") : schema.get("anyOf"), this::type);
        }
        if (schema.path("type").isArray()) {
            return union(schema.get("type"), name -> type(name.asText(), schema));
        }
        return schema.has("type") ? type(schema.get("type").asText(), schema) : "unknown";
    }

    private String type(String name, JsonNode schema) {
        return switch (name) {
            case "integer", "number" -> "number";
            case "array" -> array(type(schema.path("items")));
            case "object" -> object(schema);
            default -> name;
        };
    }

    private static String array(String items) {
        return items.contains(" ") ? "(" + items + ")[]" : items + "[]";
    }

    private String object(JsonNode schema) {
        if (schema.path("additionalProperties").isObject()) {
            return "Record<string, " + type(schema.get("additionalProperties")) + ">";
        }
        if (!schema.has("properties")) {
            return "Record<string, unknown>";
        }
        StringJoiner members = new StringJoiner("; ", "{ ", " }");
        schema.get("properties")
                .properties()
                .forEach(member -> members.add(member.getKey()
                        + (required(schema).test(member.getKey()) ? "" : "?") + ": " + type(member.getValue())));
        return members.toString();
    }

    private static String union(JsonNode nodes, java.util.function.Function<JsonNode, String> type) {
        return StreamSupport.stream(nodes.spliterator(), false)
                .map(type)
                .distinct()
                .collect(Collectors.joining(" | "));
    }

    private void methods(String name, String comment, Message.Kind kind) {
        out.append("\n/** ")
                .append(comment)
                .append(" */\nexport interface ")
                .append(name)
                .append(" {\n");
        dialect.messages().stream().filter(message -> message.kind() == kind).forEach(message -> {
            String params = message.params().orElse("Record<string, unknown> | undefined");
            out.append("  /** ")
                    .append(message.summary())
                    .append(message.additive() ? " (addition)" : "")
                    .append(" */\n");
            out.append("  \"").append(message.method()).append("\": ");
            out.append(message.result()
                            .map(result -> "{ params: " + params + "; result: " + result + " }")
                            .orElse(params))
                    .append(";\n");
        });
        out.append("}\n");
    }
}
