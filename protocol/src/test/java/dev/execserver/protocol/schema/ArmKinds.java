package dev.execserver.protocol.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Derives the schema of a member from the code that reads it. */
final class ArmKinds {

    private static final Pattern CALL = Pattern.compile("\\bin\\.(\\w+)\\(");
    private static final Pattern HELPER = Pattern.compile("(?:(\\w+)\\.)?(\\w+)\\(in(?:, \\w+)?\\)");
    private static final Pattern WORDS_OF = Pattern.compile("\\b([A-Z][\\w.]*)\\.parse\\(in\\.string\\(\\)\\)");
    private static final Pattern WORDS_IN = Pattern.compile("ExecWords\\.parse\\([^,]+, ([\\w.]+)\\.values\\(\\)\\)");
    private static final Pattern RANGE = Pattern.compile("in\\.integers?\\(([\\w.]+), ([\\w.]+), ");
    private static final Pattern BY_METHOD = Pattern.compile("\"([\\w ]+)\", (?:([\\w.]+)::(\\w+))\\)");
    private static final Pattern BY_LAMBDA =
            Pattern.compile("\"([\\w ]+)\", \\(?(\\w+)\\)?->(?:(\\w+)\\.)?(\\w+)\\(\\2\\b");

    private final ProtocolSources sources;
    private final BiFunction<ProtocolSources.Type, Nested, ObjectNode> nested;

    /**
     * Object inside of an object.
     *
     * @param struct name in error texts
     * @param method method that reads it
     */
    record Nested(String struct, String method) {}

    /** @param nested returns the schema of an object that a method of a type reads */
    ArmKinds(ProtocolSources sources, BiFunction<ProtocolSources.Type, Nested, ObjectNode> nested) {
        this.sources = sources;
        this.nested = nested;
    }

    ObjectNode schema(Arm arm) {
        String code = arm.code();
        Matcher call = CALL.matcher(code);
        if (!call.find()) {
            return schema(helper(arm, code));
        }
        boolean paths = code.contains("PathUri.parse(") || code.contains("paths(");
        return switch (call.group(1)) {
            case "string" -> text(arm, code, paths);
            case "stringOrNull" -> Kinds.nullable(text(arm, code, paths));
            case "stringOrSkip", "slice", "sliceOrNull" -> Kinds.object();
            case "bool" -> Kinds.type("boolean");
            case "boolOrNull" -> Kinds.nullable(Kinds.type("boolean"));
            case "u64", "usize" -> Kinds.u64();
            case "u64OrNull", "usizeOrNull" -> Kinds.nullable(Kinds.u64());
            case "i64" -> Kinds.i64();
            case "i64OrNull" -> Kinds.nullable(Kinds.i64());
            case "i32" -> Kinds.i32();
            case "i32OrNull" -> Kinds.nullable(Kinds.i32());
            case "integer" -> range(arm, code);
            case "integers" -> Kinds.array(range(arm, code));
            case "strings" -> Kinds.array(paths ? Kinds.path() : Kinds.type("string"));
            case "stringsOrNull" -> Kinds.nullable(Kinds.array(paths ? Kinds.path() : Kinds.type("string")));
            case "stringLists" -> Kinds.array(Kinds.array(Kinds.type("string")));
            case "slices" -> Kinds.array(Kinds.object());
            case "stringMap" -> Kinds.map(Kinds.type("string"));
            case "nullableStringMapOrNull" -> Kinds.nullable(Kinds.map(Kinds.nullable(Kinds.type("string"))));
            case "base64", "base64Later" -> Kinds.base64();
            case "base64LaterOrNull" -> Kinds.nullable(Kinds.base64());
            case "struct" -> nested(arm, code);
            case "structOrNull" -> Kinds.nullable(nested(arm, code));
            case "structs" -> Kinds.array(nested(arm, code));
            case "stringsOrLists" -> {
                ObjectNode either = Kinds.object();
                either.putArray("anyOf").add(Kinds.type("string")).add(Kinds.array(Kinds.type("string")));
                yield Kinds.array(either);
            }
            default ->
                throw new IllegalArgumentException(
                        "no kind for the code of " + arm.owner().name() + "." + arm.member() + ": " + code);
        };
    }

    private ObjectNode text(Arm arm, String code, boolean path) {
        if (path) {
            return Kinds.path();
        }
        Matcher words = WORDS_IN.matcher(code);
        if (!words.find()) {
            words = WORDS_OF.matcher(code);
            if (!words.find()) {
                return Kinds.type("string");
            }
        }
        String name = words.group(1);
        return sources.find(name, arm.owner())
                .filter(type -> type.tree().getKind() == Tree.Kind.ENUM)
                .map(type -> Kinds.words(sources.words(type)))
                .orElseGet(() -> Kinds.type("string"));
    }

    private ObjectNode range(Arm arm, String code) {
        Matcher range = RANGE.matcher(code);
        if (!range.find()) {
            throw new IllegalArgumentException("no range in the code of " + arm.member() + ": " + code);
        }
        return Kinds.range(sources.number(range.group(1), arm.owner()), sources.number(range.group(2), arm.owner()));
    }

    private ObjectNode nested(Arm arm, String code) {
        Matcher method = BY_METHOD.matcher(code);
        if (method.find()) {
            ProtocolSources.Type type = method.group(2).equals("this")
                    ? arm.owner()
                    : sources.find(method.group(2), arm.owner()).orElseThrow();
            return nested.apply(type, new Nested(method.group(1), method.group(3)));
        }
        Matcher lambda = BY_LAMBDA.matcher(code);
        if (lambda.find()) {
            ProtocolSources.Type type = Optional.ofNullable(lambda.group(3))
                    .flatMap(name -> sources.find(name, arm.owner()))
                    .orElse(arm.owner());
            return nested.apply(type, new Nested(lambda.group(1), lambda.group(4)));
        }
        throw new IllegalArgumentException(
                "no reader in the code of " + arm.owner().name() + "." + arm.member() + ": " + code);
    }

    /** Returns the method that the arm calls with its reader. */
    private Arm helper(Arm arm, String code) {
        Matcher helper = HELPER.matcher(code);
        if (!helper.find()) {
            throw new IllegalArgumentException(
                    "nothing is read for " + arm.owner().name() + "." + arm.member() + ": " + code);
        }
        ProtocolSources.Type type = Optional.ofNullable(helper.group(1))
                .flatMap(name -> sources.find(name, arm.owner()))
                .orElse(arm.owner());
        return type.tree().getMembers().stream()
                .filter(member ->
                        member instanceof MethodTree method && method.getName().contentEquals(helper.group(2)))
                .map(member -> ((MethodTree) member).getBody().toString())
                .filter(body -> CALL.matcher(body).find())
                .findFirst()
                .map(body -> new Arm(arm.member(), body, arm.method(), type))
                .orElseThrow(() -> new IllegalArgumentException("no helper " + helper.group(2) + " in " + type.name()));
    }
}
