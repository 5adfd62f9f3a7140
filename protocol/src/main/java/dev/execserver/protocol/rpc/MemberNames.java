package dev.execserver.protocol.rpc;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The member names seen so far in every open object, innermost last, to find duplicates. Objects of up to {@value
 * #LINEAR} members are searched by looking at each name, which needs no allocation; larger ones get a hash set, whose
 * buckets degrade to trees, so that chosen collisions cost a logarithm and no more.
 */
final class MemberNames {

    static final int LINEAR = 12;

    private String[] names = new String[32];
    private int size;
    private int[] starts = new int[8];
    private Set<?>[] sets = new Set<?>[8];
    private int open;
    private String last = "";

    void enterObject() {
        if (open == starts.length) {
            starts = Arrays.copyOf(starts, open * 2);
            sets = Arrays.copyOf(sets, open * 2);
        }
        starts[open++] = size;
    }

    void leaveObject() {
        open--;
        sets[open] = null;
        Arrays.fill(names, starts[open], size, null);
        size = starts[open];
    }

    /** The name given to {@link #add} last. */
    String last() {
        return last;
    }

    /** Returns false when the innermost open object has the name already. */
    boolean add(String name) {
        last = name;
        @SuppressWarnings("unchecked") // only this class fills the array
        Set<String> set = (Set<String>) sets[open - 1];
        if (set != null) {
            return set.add(name);
        }
        int start = starts[open - 1];
        for (int i = start; i < size; i++) {
            if (names[i].equals(name)) {
                return false;
            }
        }
        if (size - start == LINEAR) {
            Set<String> larger = new HashSet<>(Arrays.asList(names).subList(start, size));
            sets[open - 1] = larger;
            return larger.add(name);
        }
        if (size == names.length) {
            names = Arrays.copyOf(names, size * 2);
        }
        names[size++] = name;
        return true;
    }
}
