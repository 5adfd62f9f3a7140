package dev.execserver.server.rules;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Decision of a rule about a command, the mildest first. If several rules match, the strictest decides. */
public enum RuleDecision {
    ALLOW("Allow"),
    PROMPT("Prompt"),
    FORBIDDEN("Forbidden");

    private final String debugName;

    RuleDecision(String debugName) {
        this.debugName = debugName;
    }

    /** Returns the word in rules files and answers. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the word in error texts of the reference. */
    String debugName() {
        return debugName;
    }

    static Optional<RuleDecision> of(String word) {
        return Stream.of(values())
                .filter(decision -> decision.word().equals(word))
                .findFirst();
    }
}
