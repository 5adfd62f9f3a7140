package dev.execserver.server.schema;

import dev.execserver.protocol.rpc.JsonSlice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the members of one value that its schema does not know, with a suggestion for each. A value of the wrong type is
 * left to the code that reads it. One value, one thread.
 */
final class UnknownMembers {

    /** Number of members that are named. */
    static final int MOST = 8;

    /** Characters of a name that are shown. */
    private static final int SHOWN = 100;

    private final Map<String, MemberShape> types;
    private final List<String> found = new ArrayList<>();
    private int more;

    /** @param types schemas by the names that references use */
    UnknownMembers(Map<String, MemberShape> types) {
        this.types = types;
    }

    /** Returns one sentence for each unknown member. */
    List<String> of(MemberShape shape, JsonSlice value) {
        look(List.of(shape), value, "");
        if (more > 0) {
            found.add(more + " more unknown members");
        }
        return found;
    }

    private void look(List<MemberShape> shapes, JsonSlice value, String path) {
        switch (value.first()) {
            case '{' -> lookIntoObject(shapes, value, path);
            case '[' -> lookIntoArray(shapes, value, path);
            default -> {}
        }
    }

    private void lookIntoArray(List<MemberShape> shapes, JsonSlice array, String path) {
        List<MemberShape> elements = resolved(shapes).stream()
                .flatMap(shape -> shape.elements().stream())
                .toList();
        if (elements.isEmpty()) {
            return;
        }
        int index = 0;
        for (JsonSlice element : array.elements()) {
            look(elements, element, path + "[" + index++ + "]");
        }
    }

    private void lookIntoObject(List<MemberShape> shapes, JsonSlice object, String path) {
        Map<String, JsonSlice> members = object.members();
        List<MemberShape> meant =
                resolved(shapes).stream().filter(shape -> mayBe(shape, members)).toList();
        boolean anyNames = meant.stream()
                .anyMatch(shape -> shape.anything() || shape.values().isPresent());
        boolean described = meant.stream().anyMatch(shape -> !shape.members().isEmpty() || shape == MemberShape.EMPTY);
        if (!anyNames && !described) {
            return; // no object is meant here
        }
        String before = path.isEmpty() ? "" : path + ".";
        members.forEach((name, value) -> {
            List<MemberShape> known = new ArrayList<>();
            for (MemberShape shape : meant) {
                if (shape.members().containsKey(name)) {
                    known.add(shape.members().get(name));
                } else {
                    shape.values().ifPresent(known::add);
                }
            }
            if (!known.isEmpty()) {
                look(known, value, before + name);
            } else if (!anyNames) {
                unknown(before, name, meant);
            }
        });
    }

    private void unknown(String before, String name, List<MemberShape> meant) {
        if (found.size() == MOST) {
            more++;
            return;
        }
        Set<String> names = new TreeSet<>();
        meant.forEach(shape -> names.addAll(shape.members().keySet()));
        String shown = name.length() <= SHOWN ? name : name.substring(0, SHOWN) + "...";
        found.add("unknown member `" + before + shown + "`"
                + MemberHint.nearest(name, names)
                        .map(near -> "; did you mean `" + near + "`?")
                        .orElse(""));
    }

    /** Returns the schemas without references and with all their alternatives. */
    private List<MemberShape> resolved(List<MemberShape> shapes) {
        Set<MemberShape> all = Collections.newSetFromMap(new IdentityHashMap<>());
        shapes.forEach(shape -> resolve(shape, all));
        return List.copyOf(all);
    }

    private void resolve(MemberShape shape, Set<MemberShape> all) {
        MemberShape target = shape.reference().map(types::get).orElse(shape);
        if (all.add(target)) {
            target.alternatives().forEach(either -> resolve(either, all));
        }
    }

    /** Returns false if a member is there that this alternative excludes, or has another value than it demands. */
    private static boolean mayBe(MemberShape shape, Map<String, JsonSlice> members) {
        if (shape.absent().stream().anyMatch(members::containsKey)) {
            return false;
        }
        return shape.constants().entrySet().stream().allMatch(constant -> {
            JsonSlice value = members.get(constant.getKey());
            return value == null || constant.getValue().contains(value);
        });
    }
}
