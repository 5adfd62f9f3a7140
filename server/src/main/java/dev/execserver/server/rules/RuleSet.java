package dev.execserver.server.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/** All rules together: answers which of them match a command. Immutable; a look costs as much as the rules of one program. */
public final class RuleSet {
    /** No rules at all. */
    public static final RuleSet EMPTY = new RuleSet(List.of(), Map.of(), List.of());

    /** Bytes of a rule or path besides its characters: objects and entries of maps, roughly. */
    private static final long RULE_BYTES = 200;

    private final List<PrefixRule> rules;
    private final RuleIndex exact = new RuleIndex(false);
    private final RuleIndex anyCase = new RuleIndex(true);
    private final Map<String, Set<String>> executables;
    private final List<NetworkRule> network;

    /** @param executables paths that a base name may stand for; a name that is missing here has no such list */
    RuleSet(List<PrefixRule> rules, Map<String, Set<String>> executables, List<NetworkRule> network) {
        this.rules = List.copyOf(rules);
        this.executables = Map.copyOf(executables);
        this.network = List.copyOf(network);
        int number = 0;
        for (PrefixRule rule : rules) {
            (rule.anyCase() ? anyCase : exact).add(number++, rule);
        }
    }

    public List<PrefixRule> rules() {
        return rules;
    }

    public List<NetworkRule> network() {
        return network;
    }

    /** Estimates the heap bytes of the rules. */
    public long bytes() {
        long characters = rules.stream().mapToLong(PrefixRule::characters).sum()
                + executables.entrySet().stream()
                        .mapToLong(entry -> entry.getKey().length()
                                + entry.getValue().stream()
                                        .mapToLong(path -> path.length() + RULE_BYTES)
                                        .sum())
                        .sum();
        long entries = (long) rules.size() + executables.size() + network.size();
        return 2 * characters + RULE_BYTES * (entries + exact.nodes() + anyCase.nodes());
    }

    /** Returns the paths that the rules list for a base name; empty if they have no list for it. */
    public Optional<Set<String>> executables(String name) {
        return Optional.ofNullable(executables.get(name));
    }

    /** Returns true if the rules have no list for a name, or the list has the path. */
    public boolean listedOrUnlisted(String name, String path) {
        return executables(name).map(paths -> paths.contains(path)).orElse(true);
    }

    /** Returns the rules that match a command by its first word as it is. */
    public List<RuleMatch> match(List<String> command) {
        return matches(command.getFirst(), command, Optional.empty());
    }

    /**
     * Returns the rules that match a command by its first word as it is or, if none does, by the base name of a path.
     *
     * @param path of the program, absolute
     * @param standsFor returns true if a base name may stand for a path
     */
    public List<RuleMatch> match(List<String> command, String path, BiPredicate<String, String> standsFor) {
        List<RuleMatch> direct = match(command);
        String name = path.substring(path.lastIndexOf('/') + 1);
        return direct.isEmpty() && !name.isEmpty() && standsFor.test(name, path)
                ? matches(name, command, Optional.of(path))
                : direct;
    }

    /** Returns the strictest decision of some matches; empty if there is none. */
    public static Optional<RuleDecision> strictest(List<RuleMatch> matches) {
        return matches.stream().map(match -> match.rule().decision()).max(RuleDecision::compareTo);
    }

    private List<RuleMatch> matches(String first, List<String> command, Optional<String> path) {
        List<RuleMatch> matches = new ArrayList<>();
        collect(exact.matching(first, command), first, command, path, matches);
        collect(anyCase.matching(first, command), first, command, path, matches);
        return matches;
    }

    private static void collect(
            List<PrefixRule> rules,
            String first,
            List<String> command,
            Optional<String> path,
            List<RuleMatch> matches) {
        for (PrefixRule rule : rules) {
            List<String> prefix = new ArrayList<>(command.subList(0, rule.rest().size() + 1));
            prefix.set(0, first);
            matches.add(new RuleMatch(rule, List.copyOf(prefix), path));
        }
    }
}
