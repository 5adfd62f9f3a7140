package dev.execserver.protocol.rpc;

/** Strings that can be sent. */
public final class Text {

    private Text() {}

    /** The text itself when every surrogate has its partner, else a copy with U+FFFD for each that has none. */
    public static String wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return replaceLoneSurrogates(text);
            }
        }
        return text;
    }

    private static String replaceLoneSurrogates(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints()
                .map(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? 0xFFFD : point)
                .forEach(out::appendCodePoint);
        return out.toString();
    }
}
