package dev.execserver.server.rules;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Alternatives for one word of a command.
 *
 * @param alternatives one or more
 */
record TokenPattern(List<String> alternatives) {
    private static final int WORD_BYTES = 30;

    TokenPattern {
        alternatives = List.copyOf(alternatives);
    }

    boolean matches(String word, boolean anyCase) {
        return anyCase
                ? alternatives.stream()
                        .anyMatch(each -> each.toLowerCase(Locale.ROOT).equals(word.toLowerCase(Locale.ROOT)))
                : alternatives.contains(word);
    }

    /** Returns the number of characters, and some for each alternative. */
    long characters() {
        return alternatives.stream()
                .mapToLong(word -> word.length() + WORD_BYTES)
                .sum();
    }

    /** Returns the form in error texts of the reference. */
    String debug() {
        return alternatives.size() == 1
                ? "Single(" + DebugText.quoted(alternatives.getFirst()) + ")"
                : alternatives.stream().map(DebugText::quoted).collect(Collectors.joining(", ", "Alts([", "])"));
    }
}
