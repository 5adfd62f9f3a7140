package dev.execserver.server;

import java.time.Duration;

/**
 * Tests of behaviour that depends on one time being shorter than another: a pong that comes before a peer is given up, a
 * request that is whole before its limit. A machine that is held up for longer than such a limit shows what a quick one
 * never does. What is tested is the proportion, so the same is tried again with all times tripled; a fault fails with
 * every one of them.
 */
public final class Scaled {
    private static final int ATTEMPTS = 4;

    /** What is tried with a limit and with other times in proportion to it. */
    @FunctionalInterface
    public interface Attempt {
        void with(Duration limit) throws Exception;
    }

    private Scaled() {}

    /** Succeeds with the first attempt that does. */
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
