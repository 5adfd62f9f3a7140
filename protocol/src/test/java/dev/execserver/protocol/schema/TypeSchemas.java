package dev.execserver.protocol.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The schemas of the objects of one dialect, by the names of their records. A type is added with all types that its
 * members refer to.
 */
final class TypeSchemas {

    private static final Pattern ALWAYS_WRITTEN = Pattern.compile("^(?:g\\.write\\w+Field(?:Start)?\\(\"(\\w+)\""
            + "|g\\.writeFieldName\\(\"(\\w+)\"|g\\.writeObjectFieldStart\\(\"(\\w+)\""
            + "|JsonFields\\.(?!ifPresent)\\w+\\(g, \"(\\w+)\""
            + "|out\\.ascii\\(\"[\\[\\]{},]*\\\\\"(\\w+)\\\\\":)");
    private static final Pattern DEFAULT = Pattern.compile("\\.orElse\\((true|false|\\d+)\\)");

    private final ProtocolSources sources;
    private final Overrides overrides;
    private final ArmKinds kinds;
    private final Map<String, ObjectNode> schemas = new TreeMap<>();
    private boolean written;

    TypeSchemas(ProtocolSources sources, Overrides overrides) {
        this.sources = sources;
        this.overrides = overrides;
        this.kinds = new ArmKinds(sources, this::nested);
    }

    Map<String, ObjectNode> all() {
        return schemas;
    }

    /** Adds a type that clients send. Members that the reader can do without are optional. */
    void addRead(String name) {
        add(name, false);
    }

    /** Adds a type that servers send. Members that are always written are required too. */
    void addWritten(String name) {
        add(name, true);
    }

    private void add(String name, boolean asWritten) {
        written = asWritten;
        if (overrides.type(name).isPresent()) {
            addGiven(name);
        } else if (!schemas.containsKey(name)) {
            ProtocolSources.Type type = sources.get(name);
            put(name, type, "read");
        }
    }

    private void addGiven(String name) {
        if (schemas.containsKey(name)) {
            return;
        }
        ObjectNode schema = overrides.type(name).orElseThrow().deepCopy();
        schemas.put(name, schema);
        Words.expand(sources, schema);
        describeFromRecord(name, schema);
        addReferences(schema);
    }

    /** Fills descriptions that the given schema does not have. */
    private void describeFromRecord(String name, ObjectNode schema) {
        String source = schema.path("x-source").asText(name);
        schema.remove("x-source");
        sources.find(source).ifPresent(type -> {
            if (!schema.has("description")) {
                schema.put("description", Comments.resolved(Comments.text(type.comment()), sources, type));
            }
            Map<String, String> comments = Comments.components(type.comment());
            schema.path("properties").properties().forEach(member -> {
                if (member.getValue() instanceof ObjectNode value
                        && !value.has("description")
                        && comments.containsKey(member.getKey())) {
                    value.put("description", comments.get(member.getKey()));
                }
            });
        });
        schema.path("properties").properties().forEach(member -> {
            if (member.getValue() instanceof ObjectNode value && !value.has("description") && !value.has("$ref")) {
                overrides
                        .description(name + "." + member.getKey())
                        .or(() -> overrides.description("?." + member.getKey()))
                        .ifPresent(text -> value.put("description", text));
            }
        });
    }

    private void addReferences(JsonNode schema) {
        for (JsonNode reference : schema.findValues("$ref")) {
            String name = reference.asText().replace("#/$defs/", "");
            boolean before = written;
            add(name, written);
            written = before;
        }
    }

    private ObjectNode nested(ProtocolSources.Type type, ArmKinds.Nested object) {
        boolean ownRecord =
                object.method().startsWith("read") && object.method().length() == 4;
        String record = type.name().replaceAll("Reader$", "");
        String name = overrides
                .nestedName(type.name() + "::" + object.method())
                .orElse(ownRecord ? record.replace(".", "") : object.struct());
        if (overrides.type(name).isPresent()) {
            addGiven(name);
        } else if (!schemas.containsKey(name)) {
            put(name, type, object.method());
        }
        return Kinds.reference(name);
    }

    private void put(String name, ProtocolSources.Type type, String method) {
        if (!name.matches("\\w+")) {
            throw new IllegalArgumentException("no name for a type of " + type.name() + "." + method + ": " + name);
        }
        ObjectNode schema = Kinds.type("object");
        schemas.put(name, schema);
        String comment = overrides
                .description(name)
                .orElseGet(() -> method.equals("read")
                        ? Comments.resolved(Comments.text(recordOf(type).comment()), sources, type)
                        : "");
        if (!comment.isEmpty()) {
            schema.put("description", comment);
        }
        Map<String, Member> members = members(name, type, method);
        ObjectNode properties = schema.putObject("properties");
        ArrayNode required = schema.putArray("required");
        members.forEach((memberName, member) -> {
            properties.set(memberName, member.schema());
            if (member.required()) {
                required.add(memberName);
            }
        });
        if (required.isEmpty()) {
            schema.remove("required");
        }
    }

    private record Member(ObjectNode schema, boolean required) {}

    private Map<String, Member> members(String name, ProtocolSources.Type type, String method) {
        Map<String, Member> members = new LinkedHashMap<>();
        Set<String> always = written ? alwaysWritten(type) : Set.of();
        Map<String, String> comments = Comments.components(recordOf(type).comment());
        for (Arm arm : arms(type, method)) {
            ObjectNode schema = overrides
                    .member(name, arm.member())
                    .map(ObjectNode::deepCopy)
                    .orElseGet(() -> kinds.schema(arm));
            Words.expand(sources, schema);
            addReferences(schema);
            boolean required = always.contains(arm.member()) || required(arm);
            String comment = comment(name, arm, comments);
            boolean additive = schema.path("x-additive")
                    .asBoolean(arm.code().contains("dialect.open()") || comment.startsWith("addition"));
            schema.remove("x-additive");
            if (additive) {
                schema.put("x-additive", true);
            }
            if (!required && !written) {
                putDefault(arm, schema);
            }
            if (!comment.isEmpty() && !schema.has("description")) {
                schema.put("description", comment);
            }
            required = schema.has("x-required") ? schema.remove("x-required").asBoolean() : required;
            members.put(arm.member(), new Member(schema, required));
        }
        for (Overrides.Include include : overrides.includes(name)) {
            ProtocolSources.Type other = sources.get(include.type());
            members(other.name(), other, "").forEach((memberName, member) -> {
                if (include.additive()) {
                    member.schema().put("x-additive", true);
                }
                members.putIfAbsent(memberName, member);
            });
        }
        if (members.isEmpty()) {
            throw new IllegalArgumentException("no members of " + name + " found in " + type.name() + "." + method);
        }
        return members;
    }

    private String comment(String name, Arm arm, Map<String, String> comments) {
        String comment = comments.getOrDefault(
                arm.member(), comments.getOrDefault(arm.variable().orElse(""), ""));
        return overrides
                .description(name + "." + arm.member())
                .or(() -> overrides.description("*." + arm.member()))
                .or(() -> Optional.of(comment).filter(text -> !text.isEmpty()))
                .or(() -> overrides.description("?." + arm.member()))
                .map(text -> Comments.resolved(text, sources, arm.owner()))
                .orElse("");
    }

    /** Finds the code that reads the members: the method itself, its class, or the class that collects them. */
    private List<Arm> arms(ProtocolSources.Type type, String method) {
        List<Arm> arms = Arm.in(sources, type, method);
        if (arms.isEmpty()) {
            arms = new ArrayList<>();
            for (String other : List.of(type.name() + "Reader", type.name() + ".Reader", type.name())) {
                if (arms.isEmpty() && sources.find(other).isPresent()) {
                    arms.addAll(Arm.in(sources, sources.get(other), ""));
                }
            }
        }
        return arms;
    }

    private ProtocolSources.Type recordOf(ProtocolSources.Type type) {
        return sources.find(type.name().replaceAll("\\.?Reader$", "")).orElse(type);
    }

    private static boolean required(Arm arm) {
        Pattern pattern = Pattern.compile("(?:required|missing)\\(\"" + arm.member() + "\"");
        String scope = arm.method().contains("required(\"")
                ? arm.method()
                : arm.owner().tree().toString();
        return pattern.matcher(scope).find();
    }

    private static void putDefault(Arm arm, ObjectNode schema) {
        Matcher given = DEFAULT.matcher(arm.code());
        String value = given.find() ? given.group(1) : initial(arm).orElse("");
        if (value.equals("true") || value.equals("false")) {
            schema.put("default", value.equals("true"));
        } else if (!value.isEmpty()) {
            schema.put("default", Long.parseLong(value));
        }
    }

    /** Returns the initial value of the variable or field of a primitive type that the member is stored in. */
    private static Optional<String> initial(Arm arm) {
        List<String> found = new ArrayList<>();
        arm.owner()
                .tree()
                .accept(
                        new TreeScanner<Void, Void>() {
                            @Override
                            public Void visitVariable(VariableTree variable, Void nothing) {
                                boolean same = arm.variable()
                                        .filter(name -> variable.getName().contentEquals(name))
                                        .isPresent();
                                if (same
                                        && variable.getType() != null
                                        && variable.getType().toString().equals("boolean")) {
                                    found.add(
                                            variable.getInitializer() == null
                                                    ? "false"
                                                    : variable.getInitializer().toString());
                                }
                                return super.visitVariable(variable, nothing);
                            }
                        },
                        null);
        return found.stream().filter(value -> value.matches("true|false")).findFirst();
    }

    private Set<String> alwaysWritten(ProtocolSources.Type type) {
        Set<String> names = new HashSet<>();
        for (Tree member : recordOf(type).tree().getMembers()) {
            if (member instanceof MethodTree method
                    && method.getBody() != null
                    && method.getName().toString().startsWith("write")) {
                for (StatementTree statement : method.getBody().getStatements()) {
                    Matcher name = ALWAYS_WRITTEN.matcher(statement.toString());
                    if (name.find()) {
                        for (int group = 1; group <= name.groupCount(); group++) {
                            Optional.ofNullable(name.group(group)).ifPresent(names::add);
                        }
                    }
                }
            }
        }
        return names;
    }
}
