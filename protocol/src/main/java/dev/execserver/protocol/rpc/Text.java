package dev.execserver.protocol.rpc;

/** Makes strings valid for UTF-8. */
public final class Text {

    private Text() {}

    /** Returns true if every surrogate has its partner, so that the text can be encoded as UTF-8. */
    public static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    /**
     * Returns the text itself if it is well-formed, otherwise a copy with U+FFFD for each surrogate without a partner.
     */
    public static String wellFormed(String text) {
        return isWellFormed(text) ? text : replaceLoneSurrogates(text);
    }

    private static String replaceLoneSurrogates(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints()
                .map(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? 0xFFFD : point)
                .forEach(out::appendCodePoint);
        return out.toString();
    }
}
