package dev.execserver.server.schema;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The part of a JSON Schema that says which members an object may have. Immutable.
 *
 * @param members schemas of the members
 * @param constants values of members that tell the alternatives apart
 * @param elements schema of the elements of an array
 * @param values schema of the values of a map, whose names are free
 * @param alternatives schemas of which one is meant
 * @param reference name of the type that has the schema
 * @param absent members that an object of this alternative does not have
 * @param anything true if an object may have any members
 */
record MemberShape(
        Map<String, MemberShape> members,
        Map<String, List<JsonSlice>> constants,
        Optional<MemberShape> elements,
        Optional<MemberShape> values,
        List<MemberShape> alternatives,
        Optional<String> reference,
        Set<String> absent,
        boolean anything) {

    /** The schema of params without members. */
    static final MemberShape EMPTY = new MemberShape(
            Map.of(), Map.of(), Optional.empty(), Optional.empty(), List.of(), Optional.empty(), Set.of(), false);

    /** @param additive false if the members that this server adds to the protocol are left out */
    static MemberShape read(JsonSlice schema, boolean additive) {
        return new Reading(additive).read(schema);
    }

    /** Returns the name at the end of a reference such as {@code #/$defs/StartParams}. */
    static String typeOf(String reference) {
        return reference.substring(reference.lastIndexOf('/') + 1);
    }

    /** Collects the parts of one schema. */
    private static final class Reading {

        private static final byte[] OBJECT = {'"', 'o', 'b', 'j', 'e', 'c', 't', '"'};

        private final boolean additive;
        private final Map<String, MemberShape> members = new HashMap<>();
        private final Map<String, List<JsonSlice>> constants = new HashMap<>();
        private Optional<MemberShape> elements = Optional.empty();
        private Optional<MemberShape> values = Optional.empty();
        private final List<MemberShape> alternatives = new ArrayList<>();
        private Optional<String> reference = Optional.empty();
        private Set<String> absent = Set.of();
        private boolean described;
        private boolean object;

        Reading(boolean additive) {
            this.additive = additive;
        }

        MemberShape read(JsonSlice schema) {
            ParamsReader in = ParamsReader.of(schema, "schema");
            boolean typed = false;
            while (in.next()) {
                switch (in.name()) {
                    case "type" -> {
                        typed = true;
                        object = in.slice().mentions(OBJECT);
                    }
                    case "properties" -> in.slice().members().forEach(this::member);
                    case "items" -> elements = Optional.of(shape(in.slice()));
                    case "additionalProperties" -> values = Optional.of(shape(in.slice()));
                    case "anyOf", "oneOf" -> in.slices().forEach(either -> alternatives.add(shape(either)));
                    case "$ref" -> reference = Optional.of(typeOf(in.string()));
                    case "not" -> absent = required(in.slice());
                    case "required", "const", "enum" -> described = true;
                    default -> {}
                }
            }
            boolean detailed = described
                    || !absent.isEmpty()
                    || !members.isEmpty()
                    || values.isPresent()
                    || !alternatives.isEmpty()
                    || reference.isPresent();
            return new MemberShape(
                    members,
                    constants,
                    elements,
                    values,
                    alternatives,
                    reference,
                    absent,
                    !detailed && (object || !typed));
        }

        private void member(String name, JsonSlice schema) {
            Map<String, JsonSlice> parts = schema.members();
            described = true;
            if (additive || !parts.containsKey("x-additive")) {
                members.put(name, shape(schema));
            }
            if (parts.containsKey("const")) {
                constants.put(name, List.of(parts.get("const")));
            } else if (parts.containsKey("enum")) {
                constants.put(name, parts.get("enum").elements());
            }
        }

        private static Set<String> required(JsonSlice condition) {
            Set<String> names = new HashSet<>();
            ParamsReader in = ParamsReader.of(condition, "condition");
            while (in.next()) {
                if (in.name().equals("required")) {
                    names.addAll(in.strings());
                }
            }
            return names;
        }

        private MemberShape shape(JsonSlice schema) {
            return MemberShape.read(schema, additive);
        }
    }
}
