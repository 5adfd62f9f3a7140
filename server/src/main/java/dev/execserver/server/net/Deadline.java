package dev.execserver.server.net;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** When a request has to be over. Immutable. */
final class Deadline {

    /** Longer waits are none. */
    private static final long LONGEST_MS = TimeUnit.DAYS.toMillis(365);

    private final OptionalLong atNanos;

    private Deadline(OptionalLong atNanos) {
        this.atNanos = atNanos;
    }

    /** From now on; no deadline without a timeout. */
    static Deadline after(OptionalLong timeoutMs) {
        if (timeoutMs.isEmpty() || timeoutMs.getAsLong() > LONGEST_MS) {
            return new Deadline(OptionalLong.empty());
        }
        return new Deadline(OptionalLong.of(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs.getAsLong())));
    }

    /** Nanoseconds left, not negative. */
    long leftNanos() {
        return atNanos.isEmpty()
                ? TimeUnit.MILLISECONDS.toNanos(LONGEST_MS)
                : Math.max(0, atNanos.getAsLong() - System.nanoTime());
    }

    boolean passed() {
        return leftNanos() == 0;
    }
}
