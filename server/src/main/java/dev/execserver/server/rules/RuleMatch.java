package dev.execserver.server.rules;

import java.util.List;
import java.util.Optional;

/**
 * Rule that matches a command.
 *
 * @param matchedPrefix the words that it is about, as the command has them
 * @param resolvedProgram path of the program, when the rule was found by the base name
 */
public record RuleMatch(PrefixRule rule, List<String> matchedPrefix, Optional<String> resolvedProgram) {
    /** Returns the form in error texts of the reference. */
    String debug() {
        return "PrefixRuleMatch { matched_prefix: %s, decision: %s, resolved_program: %s, justification: %s }"
                .formatted(
                        DebugText.list(matchedPrefix),
                        rule.decision().debugName(),
                        DebugText.optional(resolvedProgram),
                        DebugText.optional(rule.justification()));
    }
}
