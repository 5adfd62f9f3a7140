package dev.execserver.protocol.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Python declarations of the types of a dialect. Objects are typed dictionaries in two parts, required members first, which
 * Python 3.10 understands without further packages.
 */
final class PythonTypes {

    private static final int WIDTH = 100;
    private static final Set<String> KEYWORDS = Set.of("from", "class", "def", "global", "import", "is", "in", "not");

    private final DialectSchema dialect;
    private final StringBuilder out = new StringBuilder();
    private int inline;

    private final Set<String> shared;

    private PythonTypes(DialectSchema dialect, Set<String> shared) {
        this.dialect = dialect;
        this.shared = shared;
    }

    /** @param shared types that {@code types.py} declares */
    static String of(DialectSchema dialect, Set<String> shared) {
        return new PythonTypes(dialect, shared).print();
    }

    private String print() {
        out.append("\"\"\"Types of the protocol (")
                .append(dialect.title())
                .append("). Generated from docs/schema/")
                .append(dialect.dialect())
                .append(".json; do not edit.\"\"\"\n\n")
                .append("from __future__ import annotations\n\n")
                .append("from typing import Any, Dict, List, Literal, TypedDict, Union\n");
        if (!shared.isEmpty()) {
            out.append("\nfrom .types import (\n    ")
                    .append(String.join(",\n    ", shared))
                    .append(",\n)\n");
        }
        dialect.types().forEach((name, schema) -> {
            if (!shared.contains(name)) {
                declare(name, schema);
            }
        });
        methods();
        return out.toString();
    }

    private void declare(String name, JsonNode schema) {
        if (schema.path("type").asText().equals("object") && schema.has("properties")) {
            object(name, schema);
        } else {
            StringBuilder before = new StringBuilder(out);
            String type = type(name, schema);
            if (out.length() == before.length()) {
                out.append('\n');
            }
            comment("", schema);
            out.append(name).append(" = ").append(type).append('\n');
        }
    }

    /** Declares an object; nested anonymous ones were declared before. */
    private void object(String name, JsonNode schema) {
        Map<Boolean, List<Map.Entry<String, JsonNode>>> members = schema.path("properties").properties().stream()
                .collect(Collectors.partitioningBy(
                        member -> TypeScriptTypes.required(schema).test(member.getKey())));
        boolean twoParts = !members.get(true).isEmpty() && !members.get(false).isEmpty();
        StringBuilder body = new StringBuilder();
        if (twoParts) {
            part(body, "_" + name, "TypedDict", Kinds.object(), members.get(true), name);
            part(body, name, "_" + name + ", total=False", schema, members.get(false), name);
        } else {
            boolean optional = members.get(true).isEmpty();
            List<Map.Entry<String, JsonNode>> all = members.get(!optional);
            part(body, name, optional ? "TypedDict, total=False" : "TypedDict", schema, all, name);
        }
        out.append(body);
    }

    private void part(
            StringBuilder body,
            String name,
            String parents,
            JsonNode schema,
            List<Map.Entry<String, JsonNode>> members,
            String type) {
        body.append("\n\nclass ").append(name).append('(').append(parents).append("):\n");
        int start = body.length();
        String text = schema.path("description").asText();
        if (!text.isEmpty()) {
            body.append("    \"\"\"").append(String.join("\n    ", TypeScriptTypes.wrapped(text, WIDTH)));
            body.append("\"\"\"\n\n");
        }
        for (Map.Entry<String, JsonNode> member : members) {
            if (KEYWORDS.contains(member.getKey())) {
                throw new IllegalArgumentException(member.getKey() + " is a keyword of Python");
            }
            body.append("    ")
                    .append(member.getKey())
                    .append(": ")
                    .append(type(type, member.getValue()))
                    .append('\n');
            String words = member.getValue().path("description").asText();
            if (!words.isEmpty()) {
                body.append("    \"\"\"").append(String.join("\n    ", TypeScriptTypes.wrapped(words, WIDTH)));
                body.append("\"\"\"\n");
            }
        }
        if (body.length() == start) {
            body.append("    pass\n");
        }
    }

    private void comment(String indent, JsonNode schema) {
        String text = schema.path("description").asText();
        if (!text.isEmpty()) {
            TypeScriptTypes.wrapped(text, WIDTH)
                    .forEach(
                            line -> out.append(indent).append("# ").append(line).append('\n'));
        }
    }

    private String type(String owner, JsonNode schema) {
        if (schema.has("$ref")) {
            return "\"" + schema.get("$ref").asText().replace("#/$defs/", "") + "\"";
        }
        if (schema.has("const")) {
            return "Literal[" + literal(schema.get("const")) + "]";
        }
        if (schema.has("enum")) {
            return "Literal["
                    + StreamSupport.stream(schema.get("enum").spliterator(), false)
                            .map(PythonTypes::literal)
                            .collect(Collectors.joining(", "))
                    + "]";
        }
        if (schema.has("oneOf") || (schema.has("anyOf") && !schema.has("properties"))) {
            return union(owner, schema.has("oneOf") ? schema.get("oneOf") : schema.get("anyOf"));
        }
        if (schema.path("type").isArray()) {
            return StreamSupport.stream(schema.get("type").spliterator(), false)
                    .map(name -> type(owner, name.asText(), schema))
                    .distinct()
                    .collect(Collectors.joining(", ", "Union[", "]"));
        }
        return schema.has("type") ? type(owner, schema.get("type").asText(), schema) : "Any";
    }

    private static String literal(JsonNode value) {
        return value.isNull() ? "None" : value.isBoolean() ? (value.asBoolean() ? "True" : "False") : value.toString();
    }

    private String union(String owner, JsonNode nodes) {
        return StreamSupport.stream(nodes.spliterator(), false)
                .map(node -> type(owner, node))
                .distinct()
                .collect(Collectors.joining(", ", "Union[", "]"));
    }

    private String type(String owner, String name, JsonNode schema) {
        return switch (name) {
            case "integer" -> "int";
            case "number" -> "float";
            case "string" -> "str";
            case "boolean" -> "bool";
            case "null" -> "None";
            case "array" -> "List[" + type(owner, schema.path("items")) + "]";
            default -> nested(owner, schema);
        };
    }

    private String nested(String owner, JsonNode schema) {
        if (schema.path("additionalProperties").isObject()) {
            return "Dict[str, " + type(owner, schema.get("additionalProperties")) + "]";
        }
        if (!schema.has("properties")) {
            return "Dict[str, Any]";
        }
        inline++;
        String name = owner + "Part" + inline;
        object(name, schema);
        return "\"" + name + "\"";
    }

    private void methods() {
        for (Message.Kind kind : List.of(Message.Kind.CALL, Message.Kind.ASK, Message.Kind.EVENT)) {
            String name = switch (kind) {
                case CALL -> "REQUESTS";
                case ASK -> "SERVER_REQUESTS";
                default -> "SERVER_NOTIFICATIONS";
            };
            out.append("\n").append(name).append(" = (\n");
            dialect.messages().stream()
                    .filter(message -> message.kind() == kind)
                    .forEach(message ->
                            out.append("    \"").append(message.method()).append("\",\n"));
            out.append(")\n");
        }
    }
}
