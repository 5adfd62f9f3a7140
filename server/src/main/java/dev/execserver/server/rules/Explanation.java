package dev.execserver.server.rules;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says in words why a command is decided as it is, and what the nearest rules would have needed. */
public final class Explanation {
    /** Rules that did not match are listed up to this number. */
    private static final int MAX_NEAR = 5;

    private Explanation() {}

    /** Returns one line for the decision, one for each rule that matches or nearly does. */
    public static List<String> lines(RuleSet rules, List<String> command, List<RuleMatch> matches) {
        List<String> lines = new ArrayList<>();
        Optional<RuleDecision> decision = RuleSet.strictest(matches);
        lines.add(ShellWords.joined(command) + ": "
                + decision.map(RuleDecision::word).orElse("no rule matches"));
        for (RuleMatch match : matches) {
            lines.add("  %s  %s  %s%s%s"
                    .formatted(
                            match.rule().origin(),
                            match.rule().decision().word(),
                            ShellWords.joined(match.matchedPrefix()),
                            match.resolvedProgram()
                                    .map(path -> "  (by " + path + ")")
                                    .orElse(""),
                            match.rule()
                                    .justification()
                                    .map(text -> "  " + text)
                                    .orElse("")));
        }
        if (matches.isEmpty()) {
            near(rules, command).forEach(lines::add);
        }
        return lines;
    }

    private static List<String> near(RuleSet rules, List<String> command) {
        String program = command.getFirst();
        String name = program.substring(program.lastIndexOf('/') + 1);
        return rules.rules().stream()
                .filter(rule -> rule.first().equals(program) || rule.first().equals(name))
                .sorted(Comparator.comparingInt((PrefixRule rule) -> common(rule, command))
                        .reversed())
                .limit(MAX_NEAR)
                .map(rule -> "  %s  %s  does not match: %s"
                        .formatted(rule.origin(), rule.decision().word(), missing(rule, command, name)))
                .toList();
    }

    /** Returns how many words behind the program agree. */
    private static int common(PrefixRule rule, List<String> command) {
        int count = 0;
        while (count < rule.rest().size()
                && count + 1 < command.size()
                && rule.rest().get(count).matches(command.get(count + 1), rule.anyCase())) {
            count++;
        }
        return count;
    }

    private static String missing(PrefixRule rule, List<String> command, String name) {
        int common = common(rule, command);
        if (common == rule.rest().size()) {
            return "the rule is for the name `%s`, and host_executable does not list %s"
                    .formatted(name, command.getFirst());
        }
        String wanted = rule.rest().get(common).alternatives().stream().collect(Collectors.joining("` or `", "`", "`"));
        return common + 1 < command.size()
                ? "word %d is `%s`, the rule needs %s".formatted(common + 2, command.get(common + 1), wanted)
                : "the command ends, the rule needs %s as word %d".formatted(wanted, common + 2);
    }
}
