package dev.execserver.server.proxy;

/** Texts of others in a line of the log. Nothing in them may look like another line or another field. Stateless. */
final class LogText {

    /** Characters of one text; the rest is left out. */
    static final int MAX_TEXT = 256;

    private LogText() {}

    /** In quotes, everything but plain ASCII escaped. */
    static String quoted(String text) {
        StringBuilder safe = new StringBuilder("\"");
        for (int i = 0; i < Math.min(text.length(), MAX_TEXT); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                safe.append('\\').append(c);
            } else if (c < ' ' || c >= 0x7f) {
                safe.append(String.format("\\u%04x", (int) c));
            } else {
                safe.append(c);
            }
        }
        return safe.append('"').toString();
    }

    /** A name of a field: what is neither a letter, a digit nor one of {@code _.-} becomes an underscore. */
    static String name(String text, int max) {
        return text.substring(0, Math.min(text.length(), max)).replaceAll("[^A-Za-z0-9_.-]", "_");
    }
}
