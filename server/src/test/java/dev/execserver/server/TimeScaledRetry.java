package dev.execserver.server;

import java.time.Duration;

/**
 * Repeats tests that depend on one time being shorter than another, such as a pong before the peer counts as dead, or a
 * whole request before its limit. On a loaded machine such a test can fail without a fault. The proportion of the times
 * is what counts, so each attempt triples all times. A real fault fails in every attempt.
 */
public final class TimeScaledRetry {
    private static final int ATTEMPTS = 4;

    /** Attempt with a limit and with other times in proportion to it. */
    @FunctionalInterface
    public interface Attempt {
        void with(Duration limit) throws Exception;
    }

    private TimeScaledRetry() {}

    /** Returns after the first attempt that succeeds. */
    public static void from(Duration shortest, Attempt attempt) throws Exception {
        Throwable failure = null;
        Duration limit = shortest;
        for (int i = 0; i < ATTEMPTS; i++) {
            try {
                attempt.with(limit);
                return;
            } catch (Exception | AssertionError e) {
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
            limit = limit.multipliedBy(3);
        }
        throw new AssertionError("also with a limit of " + limit.dividedBy(3), failure);
    }
}
