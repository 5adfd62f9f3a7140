package dev.execserver.server.proxy;

/** Escapes foreign text for a log line, so that it cannot imitate another line or field. Stateless. */
final class LogText {

    /** Longest text in characters. The rest is left out. */
    static final int MAX_TEXT = 256;

    private LogText() {}

    /** Returns the text in quotes. Escapes everything but printable ASCII. */
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

    /** Returns a field name. Replaces all characters but letters, digits and {@code _.-} with underscores. */
    static String name(String text, int max) {
        return text.substring(0, Math.min(text.length(), max)).replaceAll("[^A-Za-z0-9_.-]", "_");
    }
}
