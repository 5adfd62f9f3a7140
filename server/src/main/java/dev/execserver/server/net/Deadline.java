package dev.execserver.server.net;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** The time at which a request must have ended. Immutable. */
public final class Deadline {

    /** A longer timeout counts as none. */
    private static final long LONGEST_MS = TimeUnit.DAYS.toMillis(365);

    private final OptionalLong atNanos;

    private Deadline(OptionalLong atNanos) {
        this.atNanos = atNanos;
    }

    /** Returns the deadline this many milliseconds from now; no deadline without a timeout. */
    public static Deadline after(OptionalLong timeoutMs) {
        if (timeoutMs.isEmpty() || timeoutMs.getAsLong() > LONGEST_MS) {
            return new Deadline(OptionalLong.empty());
        }
        return new Deadline(OptionalLong.of(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs.getAsLong())));
    }

    /** Returns the nanoseconds left, not negative. */
    long leftNanos() {
        return atNanos.isEmpty()
                ? TimeUnit.MILLISECONDS.toNanos(LONGEST_MS)
                : Math.max(0, atNanos.getAsLong() - System.nanoTime());
    }

    boolean passed() {
        return leftNanos() == 0;
    }
}
