package dev.execserver.protocol.rpc;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds duplicate member names. Keeps the names so far of every open object, innermost last.
 *
 * <p>Objects of up to {@value #LINEAR} members are searched name by name, without allocation. Larger ones get a hash
 * set, whose buckets become trees, so that an attacker who chooses colliding names causes only logarithmic cost.
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

    /** Returns the name of the last call of {@link #add}. */
    String last() {
        return last;
    }

    /** Adds a name. Returns false if the innermost open object has it already. */
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
