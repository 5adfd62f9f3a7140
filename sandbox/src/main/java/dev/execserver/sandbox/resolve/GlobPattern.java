package dev.execserver.sandbox.resolve;

import java.util.ArrayList;
import java.util.List;

/**
 * A glob as a place to search and what to look for below it. Alternatives in braces are taken both as alternatives and as
 * the characters they are: clients differ about them, and what is denied twice is denied.
 */
final class GlobPattern {
    /** Alternatives that braces of one glob may stand for. */
    static final int MAX_ALTERNATIVES = 64;

    private static final String SPECIAL = "*?[\\{";

    private final String given;
    private final LinuxPath root;
    private final String relative;
    private final List<GlobTokens> alternatives;

    private GlobPattern(String given, LinuxPath root, String relative, List<GlobTokens> alternatives) {
        this.given = given;
        this.root = root;
        this.relative = relative;
        this.alternatives = alternatives;
    }

    /**
     * Splits at the first component with a special character.
     *
     * @param given as the profile has it, for messages
     * @param anchor where it starts
     * @param pattern what comes below the anchor
     * @throws PolicyRefusedException when it is malformed or would have to be searched for everywhere
     */
    static GlobPattern compile(String given, LinuxPath anchor, String pattern) {
        LinuxPath root = anchor;
        List<String> rest = new ArrayList<>();
        for (String component : pattern.split("/")) {
            boolean plain = component.chars().noneMatch(c -> SPECIAL.indexOf(c) >= 0);
            if (component.isEmpty() || component.equals(".")) {
                continue;
            }
            if (component.equals("..") && !rest.isEmpty()) {
                throw new PolicyRefusedException("the glob `" + given + "` has `..` behind a wildcard");
            }
            if (plain && rest.isEmpty()) {
                root = root.resolve(component);
            } else {
                rest.add(component);
            }
        }
        if (root.isRoot()) {
            throw new PolicyRefusedException("the glob `" + given + "` would be searched for in the whole file system;"
                    + " start it with a directory");
        }
        String relative = String.join("/", rest);
        return new GlobPattern(
                given,
                root,
                relative,
                alternatives(given, relative).stream().map(GlobTokens::compile).toList());
    }

    String given() {
        return given;
    }

    /** Where the search starts, links included. */
    LinuxPath root() {
        return root;
    }

    /** Empty when the pattern names one path, which is {@link #root()} then. */
    String relative() {
        return relative;
    }

    /** Whether a path below the root matches. */
    boolean matches(byte[] relativePath) {
        return alternatives.stream().anyMatch(tokens -> tokens.matches(relativePath));
    }

    /** The pattern itself and, with braces, each of the patterns it stands for. */
    static List<String> alternatives(String given, String pattern) {
        List<String> found = new ArrayList<>(List.of(pattern));
        expand(given, "", pattern, found);
        return found;
    }

    private static void expand(String given, String before, String pattern, List<String> found) {
        int open = indexOutsideEscapes(pattern, 0);
        int close = open < 0 ? -1 : matchingBrace(pattern, open);
        if (close < 0) {
            if (!before.isEmpty() && !found.contains(before + pattern)) {
                found.add(before + pattern);
            }
            return;
        }
        for (String choice : choices(pattern.substring(open + 1, close))) {
            // The choice may have braces of its own.
            expand(given, before + pattern.substring(0, open), choice + pattern.substring(close + 1), found);
            if (found.size() > MAX_ALTERNATIVES) {
                throw new PolicyRefusedException(
                        "the glob `" + given + "` stands for more than " + MAX_ALTERNATIVES + " patterns; split it");
            }
        }
    }

    private static int indexOutsideEscapes(String pattern, int from) {
        for (int i = from; i < pattern.length(); i++) {
            if (pattern.charAt(i) == '\\') {
                i++;
            } else if (pattern.charAt(i) == '{') {
                return i;
            }
        }
        return -1;
    }

    private static int matchingBrace(String pattern, int open) {
        int depth = 0;
        for (int i = open; i < pattern.length(); i++) {
            switch (pattern.charAt(i)) {
                case '\\' -> i++;
                case '{' -> depth++;
                case '}' -> {
                    if (--depth == 0) {
                        return i;
                    }
                }
                default -> {}
            }
        }
        return -1;
    }

    private static List<String> choices(String inside) {
        List<String> choices = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < inside.length(); i++) {
            switch (inside.charAt(i)) {
                case '\\' -> i++;
                case '{' -> depth++;
                case '}' -> depth--;
                case ',' -> {
                    if (depth == 0) {
                        choices.add(inside.substring(start, i));
                        start = i + 1;
                    }
                }
                default -> {}
            }
        }
        choices.add(inside.substring(start));
        return choices;
    }

    @Override
    public String toString() {
        return given;
    }
}
