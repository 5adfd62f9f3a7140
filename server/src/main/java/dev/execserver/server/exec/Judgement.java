package dev.execserver.server.exec;

import dev.execserver.protocol.process.ExecRuleMatch;
import dev.execserver.server.rules.RuleDecision;
import dev.execserver.server.rules.RuleMatch;
import java.util.List;
import java.util.Optional;

/**
 * Verdict of the rules about a program.
 *
 * @param decision the strictest of all
 * @param deciding the rule that has decided; empty for the fallback
 * @param escalates true if a rule of the client allows it, and allowed programs leave the sandbox
 * @param heuristic true if the command line itself was judged, because no rule of the client is about the program
 * @param matches all rules that match
 */
record Judgement(
        RuleDecision decision,
        Optional<RuleMatch> deciding,
        boolean escalates,
        boolean heuristic,
        List<RuleMatch> matches) {
    Judgement {
        matches = List.copyOf(matches);
    }

    /** Returns the word for reports that tells who has decided. */
    String by() {
        if (deciding.isPresent()) {
            return ExecReports.BY_RULE;
        }
        return heuristic ? ExecReports.BY_HEURISTICS : ExecReports.BY_FALLBACK;
    }

    Optional<String> rule() {
        return deciding.map(match -> match.rule().origin().toString());
    }

    Optional<String> justification() {
        return deciding.flatMap(match -> match.rule().justification());
    }

    List<ExecRuleMatch> described() {
        return matches.stream()
                .map(match -> new ExecRuleMatch(
                        match.matchedPrefix(),
                        match.rule().decision().word(),
                        match.rule().justification(),
                        Optional.of(match.rule().origin().toString())))
                .toList();
    }
}
