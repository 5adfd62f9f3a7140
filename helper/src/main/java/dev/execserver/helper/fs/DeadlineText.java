package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.LongWork;

/**
 * A line of text that stops a regular expression when the deadline has passed: on a line of fifty characters some
 * expressions would run for years. One thread.
 */
final class DeadlineText implements CharSequence {

    /** Characters that are read between two checks of the clock. */
    private static final int LOOKS = 4096;

    private final long deadlineNanos;
    private CharSequence text = "";
    private int looks;

    /** Signals that the deadline has passed. */
    static final class TimeUpException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TimeUpException() {
            super("time is up", null, false, false);
        }
    }

    DeadlineText(long deadlineNanos) {
        this.deadlineNanos = deadlineNanos;
    }

    /** Sets another line with the same deadline. */
    DeadlineText over(CharSequence line) {
        text = line;
        return this;
    }

    /** Throws if the deadline has passed or if the request was abandoned. */
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
