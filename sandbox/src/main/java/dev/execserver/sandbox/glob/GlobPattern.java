package dev.execserver.sandbox.glob;

import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A glob, split into a directory to search and a pattern for the paths below it. Braces are read twice, as alternatives and
 * as ordinary characters, because clients differ about them. Denying too much is safe.
 */
public final class GlobPattern {
    /** Largest number of alternatives that the braces of one glob may stand for. */
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
     * Splits a glob at the first component with a special character.
     *
     * @param given the glob as the profile has it, for messages
     * @param anchor the directory where the glob starts
     * @param pattern the part of the glob below the anchor
     * @throws PolicyRefusedException if the glob is malformed or would search the whole file system
     */
    public static GlobPattern compile(String given, LinuxPath anchor, String pattern) {
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

    /** Returns the directory where the search starts; its path may contain links. */
    public LinuxPath root() {
        return root;
    }

    /** Returns the pattern below the root; empty if the glob names one path, which is then {@link #root()}. */
    public String relative() {
        return relative;
    }

    /** Returns true if a path below the root matches. */
    boolean matches(byte[] relativePath) {
        return alternatives.stream().anyMatch(tokens -> tokens.matches(relativePath));
    }

    private static PolicyRefusedException behindWildcard(String given) {
        return new PolicyRefusedException("the glob `" + given + "` has `..` behind a wildcard");
    }

    /** Returns the pattern itself and, if it has braces, each pattern that they stand for. */
    static List<String> alternatives(String given, String pattern) {
        Set<String> found = new LinkedHashSet<>(List.of(pattern));
        expand(given, pattern).forEach(choice -> found.add(normalised(given, choice)));
        return List.copyOf(found);
    }

    /** Removes empty components and dots, which alternatives can bring in and which no path has. */
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

    /** Replaces the first braces of each remaining pattern until no pattern has any. */
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

    /** Finds the first pair of braces that match. A brace without its counterpart is an ordinary character. */
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
