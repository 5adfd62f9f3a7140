package dev.execserver.sandbox.resolve;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A glob as a place to search and what to look for below it. Alternatives in braces are taken both as alternatives and as
 * the characters they are: clients differ about them, and what is denied twice is denied.
 */
final class GlobPattern {
    /** Alternatives that braces of one glob may stand for. */
    static final int MAX_ALTERNATIVES = 64;

    /** Characters of one glob: twice as many as a path can have, see PATH_MAX. */
    static final int MAX_LENGTH = 8_192;

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
        if (given.length() > MAX_LENGTH) {
            throw new PolicyRefusedException("the glob `" + given.substring(0, 40) + "...` has " + given.length()
                    + " characters, more than " + MAX_LENGTH + "; name the directory instead");
        }
        LinuxPath root = anchor;
        List<String> rest = new ArrayList<>();
        for (String component : pattern.split("/")) {
            boolean plain = component.chars().noneMatch(c -> SPECIAL.indexOf(c) >= 0);
            if (component.isEmpty() || component.equals(".")) {
                continue;
            }
            if (component.equals("..") && !rest.isEmpty()) {
                throw behindWildcard(given);
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

    private static PolicyRefusedException behindWildcard(String given) {
        return new PolicyRefusedException("the glob `" + given + "` has `..` behind a wildcard");
    }

    /** The pattern itself and, with braces, each of the patterns it stands for. */
    static List<String> alternatives(String given, String pattern) {
        Set<String> found = new LinkedHashSet<>(List.of(pattern));
        expand(given, pattern).forEach(choice -> found.add(normalised(given, choice)));
        return List.copyOf(found);
    }

    /** Without what alternatives can bring in and no path has: empty components and dots. */
    private static String normalised(String given, String choice) {
        List<String> components = new ArrayList<>();
        for (String component : choice.split("/")) {
            if (component.equals("..")) {
                throw behindWildcard(given);
            }
            if (!component.isEmpty() && !component.equals(".")) {
                components.add(component);
            }
        }
        return String.join("/", components);
    }

    /** The first braces are replaced in whatever is left to be looked at, until there are none. */
    private static List<String> expand(String given, String pattern) {
        List<String> found = new ArrayList<>();
        Deque<String> ahead = new ArrayDeque<>(List.of(pattern));
        while (!ahead.isEmpty()) {
            String next = ahead.pop();
            Optional<Braces> first = firstBraces(next);
            if (first.isEmpty()) {
                found.add(next);
                continue;
            }
            String before = next.substring(0, first.get().open());
            String behind = next.substring(first.get().close() + 1);
            List<String> choices =
                    choices(next.substring(first.get().open() + 1, first.get().close()));
            if (found.size() + ahead.size() + choices.size() > MAX_ALTERNATIVES) {
                throw new PolicyRefusedException(
                        "the glob `" + given + "` stands for more than " + MAX_ALTERNATIVES + " patterns; split it");
            }
            choices.reversed().forEach(choice -> ahead.push(before + choice + behind));
        }
        return found;
    }

    private record Braces(int open, int close) {}

    /** Those that belong together; a brace without its other one is an ordinary character. */
    private static Optional<Braces> firstBraces(String pattern) {
        Optional<Braces> first = Optional.empty();
        Deque<Integer> open = new ArrayDeque<>();
        for (int i = 0; i < pattern.length(); i++) {
            switch (pattern.charAt(i)) {
                case '\\' -> i++;
                case '{' -> open.push(i);
                case '}' -> {
                    if (!open.isEmpty()) {
                        Braces closed = new Braces(open.pop(), i);
                        first = first.filter(known -> known.open() < closed.open())
                                .or(() -> Optional.of(closed));
                    }
                }
                default -> {}
            }
        }
        return first;
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
