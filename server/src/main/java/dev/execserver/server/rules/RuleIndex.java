package dev.execserver.server.rules;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Rules by their first words, so that a look does not go through all rules of a program. A rule with many alternatives is kept
 * where they begin, and compared from there on. Not changed after the last {@link #add}.
 */
final class RuleIndex {
    /** Words by which rules are found. */
    private static final int MAX_DEPTH = 4;

    /** Places of one rule; a rule with more alternatives stays above them. */
    private static final int MAX_PLACES = 8;

    private final boolean anyCase;
    private final Node root = new Node();
    private int nodes;

    /** A rule with its number in the order of definition. */
    private record Numbered(int number, PrefixRule rule) {}

    /** Rules of commands that begin with certain words. */
    private static final class Node {
        private final List<Numbered> rules = new ArrayList<>(0);
        private final Map<String, Node> next = new HashMap<>(0);
    }

    /** @param anyCase true if words are found without regard to case */
    RuleIndex(boolean anyCase) {
        this.anyCase = anyCase;
    }

    void add(int number, PrefixRule rule) {
        List<Node> places = List.of(next(root, rule.first()));
        for (TokenPattern word : rule.rest().subList(0, Math.min(rule.rest().size(), MAX_DEPTH - 1))) {
            List<String> alternatives =
                    word.alternatives().stream().map(this::key).distinct().toList();
            if (places.size() * alternatives.size() > MAX_PLACES) {
                break;
            }
            places = places.stream()
                    .flatMap(place -> alternatives.stream().map(text -> next(place, text)))
                    .toList();
        }
        places.forEach(place -> place.rules.add(new Numbered(number, rule)));
    }

    private Node next(Node place, String word) {
        return place.next.computeIfAbsent(key(word), _ -> {
            nodes++;
            return new Node();
        });
    }

    private String key(String word) {
        return anyCase ? word.toLowerCase(Locale.ROOT) : word;
    }

    /** Returns the number of places, for bounds of memory. */
    int nodes() {
        return nodes;
    }

    /**
     * Returns the rules that match a command, in the order of their definition.
     *
     * @param first is looked up in the place of the command's first word
     */
    List<PrefixRule> matching(String first, List<String> command) {
        List<Numbered> found = new ArrayList<>();
        Node place = root.next.get(key(first));
        int depth = 1;
        while (place != null) {
            for (Numbered candidate : place.rules) {
                if (candidate.rule().matchesRest(command)) {
                    found.add(candidate);
                }
            }
            place = depth < command.size() && !place.next.isEmpty() ? place.next.get(key(command.get(depth))) : null;
            depth++;
        }
        if (found.size() > 1) {
            found.sort(Comparator.comparingInt(Numbered::number));
        }
        return found.stream().map(Numbered::rule).toList();
    }
}
