package dev.execserver.server.rules.starlark;

/**
 * Finds a text in another one in a time that grows with their lengths, not with their product (Knuth, Morris and Pratt). String does it
 * faster, but a text like {@code aaa...} would keep a processor busy for minutes. Stateless.
 */
final class TextSearch {
    /** Up to this length the product is no danger. */
    private static final int SHORT = 16;

    private TextSearch() {}

    static boolean contains(String text, String part) {
        return indexOf(text, part, 0) >= 0;
    }

    /** Returns the first place of a part, as {@link String#indexOf(String, int)} does. */
    static int indexOf(String text, String part, int from) {
        if (part.length() <= SHORT || part.length() > text.length()) {
            return text.indexOf(part, from);
        }
        int[] borders = borders(part, false);
        int matched = 0;
        for (int at = Math.max(from, 0); at < text.length(); at++) {
            matched = extended(borders, part, false, matched, text.charAt(at));
            if (matched == part.length()) {
                return at - matched + 1;
            }
        }
        return -1;
    }

    /** Returns the last place of a part that begins at {@code from} or before, as {@link String#lastIndexOf(String, int)} does. */
    static int lastIndexOf(String text, String part, int from) {
        if (part.length() <= SHORT || part.length() > text.length()) {
            return text.lastIndexOf(part, from);
        }
        int[] borders = borders(part, true);
        int matched = 0;
        for (int at = (int) Math.min((long) from + part.length(), text.length()) - 1; at >= 0; at--) {
            matched = extended(borders, part, true, matched, text.charAt(at));
            if (matched == part.length()) {
                return at;
            }
        }
        return -1;
    }

    /** Returns for each number of matched characters how many of them are a beginning again. */
    private static int[] borders(String part, boolean backwards) {
        int[] borders = new int[part.length() + 1];
        int matched = 0;
        for (int i = 1; i < part.length(); i++) {
            matched = extended(borders, part, backwards, matched, character(part, backwards, i));
            borders[i + 1] = matched;
        }
        return borders;
    }

    private static int extended(int[] borders, String part, boolean backwards, int before, char next) {
        int matched = before;
        while (matched > 0 && character(part, backwards, matched) != next) {
            matched = borders[matched];
        }
        return character(part, backwards, matched) == next ? matched + 1 : matched;
    }

    private static char character(String part, boolean backwards, int number) {
        return part.charAt(backwards ? part.length() - 1 - number : number);
    }
}
