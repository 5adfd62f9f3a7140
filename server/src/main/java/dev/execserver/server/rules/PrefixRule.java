package dev.execserver.server.rules;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Rule about commands that begin with certain words.
 *
 * @param first word: the program
 * @param rest what the next words must be
 * @param anyCase true if words are compared without regard to case
 * @param reviewer who answers a question: {@code user} or {@code auto_review}
 * @param origin where the rule stands
 */
public record PrefixRule(
        String first,
        List<TokenPattern> rest,
        boolean anyCase,
        RuleDecision decision,
        Optional<String> justification,
        Optional<String> reviewer,
        Origin origin) {
    public PrefixRule {
        rest = List.copyOf(rest);
    }

    /**
     * Place of a rule.
     *
     * @param line counted from 1
     */
    public record Origin(String file, int line) {
        @Override
        public String toString() {
            return file + ":" + line;
        }
    }

    /** Returns true if the words of a command behind the program begin as the rule says. */
    boolean matchesRest(List<String> command) {
        if (command.size() <= rest.size()) {
            return false;
        }
        for (int i = 0; i < rest.size(); i++) {
            if (!rest.get(i).matches(command.get(i + 1), anyCase)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of characters, for bounds. */
    long characters() {
        return first.length()
                + rest.stream().mapToLong(TokenPattern::characters).sum()
                + justification.map(String::length).orElse(0);
    }

    /** Returns the form in error texts of the reference. */
    String debug() {
        return "PrefixRule { pattern: PrefixPattern { canonical_matching: %s, first: %s, rest: [%s] }, decision: %s, justification: %s }"
                .formatted(
                        anyCase,
                        DebugText.quoted(first),
                        rest.stream().map(TokenPattern::debug).collect(Collectors.joining(", ")),
                        decision.debugName(),
                        DebugText.optional(justification));
    }
}
