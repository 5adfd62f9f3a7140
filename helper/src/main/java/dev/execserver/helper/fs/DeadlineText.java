package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.LongWork;

/**
 * A line that a regular expression looks at, and that ends the looking when its time is up: some expressions take longer
 * than the universe for a line of fifty characters. One thread.
 */
final class DeadlineText implements CharSequence {

    /** Characters looked at between two looks at the clock. */
    private static final int LOOKS = 4096;

    private final long deadlineNanos;
    private CharSequence text = "";
    private int looks;

    /** The time is up. */
    static final class TimeUpException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TimeUpException() {
            super("time is up", null, false, false);
        }
    }

    DeadlineText(long deadlineNanos) {
        this.deadlineNanos = deadlineNanos;
    }

    /** The same deadline for another line. */
    DeadlineText over(CharSequence line) {
        text = line;
        return this;
    }

    /** Ends the looking when the time is up, or when nobody waits for its result. */
    void check() {
        LongWork.step();
        if (System.nanoTime() - deadlineNanos > 0) {
            throw new TimeUpException();
        }
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        if (++looks == LOOKS) {
            looks = 0;
            check();
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
