package dev.execserver.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that a misspelled word may have meant. Stateless. */
public final class SpellingHint {
    /** Number of characters for each of which one typing error is tolerated. */
    private static final int CHARACTERS_A_SLIP = 5;

    private SpellingHint() {}

    /** Returns the name with the fewest typing errors; empty if all names differ too much. */
    public static Optional<String> nearest(String written, Collection<String> names) {
        return nearest(written, names, Math.max(1, written.length() / CHARACTERS_A_SLIP));
    }

    /** Does the same, with at most this many typing errors. A word may be of any length: most are told apart by it alone. */
    public static Optional<String> nearest(String written, Collection<String> names, int tolerated) {
        return names.stream()
                .filter(name -> Math.abs(written.length() - name.length()) <= tolerated)
                .filter(name -> distance(written, name) <= tolerated)
                .min(Comparator.comparingInt(name -> distance(written, name)));
    }

    /** Returns a hint to append to a message, with a semicolon before it; empty text if no name is near. */
    public static String hint(String written, Collection<String> names) {
        return nearest(written, names)
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
    }

    /** Counts the characters to insert, remove, replace or swap with their neighbour (restricted Damerau distance). */
    private static int distance(String one, String other) {
        int[][] steps = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                steps[i][j] = i == 0 || j == 0 ? i + j : step(steps, one, other, i, j);
            }
        }
        return steps[one.length()][other.length()];
    }

    private static int step(int[][] steps, String one, String other, int i, int j) {
        boolean same = one.charAt(i - 1) == other.charAt(j - 1);
        int least = Math.min(steps[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
        return swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
    }
}
