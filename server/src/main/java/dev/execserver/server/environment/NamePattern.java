package dev.execserver.server.environment;

/**
 * Glob over whole names: {@code *} stands for any characters, {@code ?} for exactly one, letter case does not matter.
 * Patterns come from the network, so matching takes at most the product of both lengths, whatever the pattern.
 */
final class NamePattern {
    private static final int NONE = -1;

    private final int[] pattern;

    NamePattern(String glob) {
        this.pattern = folded(glob);
    }

    boolean matches(String name) {
        int[] text = folded(name);
        int position = 0;
        int at = 0;
        int star = NONE;
        int starPosition = 0;
        while (position < text.length) {
            if (at < pattern.length && pattern[at] == '*') {
                star = at++;
                starPosition = position;
            } else if (at < pattern.length && (pattern[at] == '?' || pattern[at] == text[position])) {
                at++;
                position++;
            } else if (star != NONE) {
                // Only the last star ever needs to take one more character.
                at = star + 1;
                position = ++starPosition;
            } else {
                return false;
            }
        }
        while (at < pattern.length && pattern[at] == '*') {
            at++;
        }
        return at == pattern.length;
    }

    private static int[] folded(String text) {
        return text.codePoints().map(Character::toLowerCase).toArray();
    }
}
