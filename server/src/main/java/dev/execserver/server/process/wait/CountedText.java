package dev.execserver.server.process.wait;

/** Text for a matcher that may be looked at a limited number of times. One thread. */
final class CountedText implements CharSequence {

    /** Characters that a matcher may look at in one search: some 20 milliseconds. */
    static final int MAX_STEPS = 2_000_000;

    /** Thrown when a matcher has looked at too many characters. */
    static final class TooManyStepsException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooManyStepsException() {
            super("a pattern takes too many steps", null, false, false);
        }
    }

    private final CharSequence text;
    private int steps;

    CountedText(CharSequence text) {
        this.text = text;
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        if (++steps > MAX_STEPS) {
            throw new TooManyStepsException();
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
