package dev.execserver.server.config;

import dev.execserver.cli.local.Durations;
import java.time.Duration;

/** Argument checks of the configuration records. Messages name the member, its range and the value. */
final class Checks {
    private Checks() {}

    static void range(String member, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("%s must be from %d to %d: %d".formatted(member, min, max, value));
        }
    }

    static void range(String member, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException("%s must be from %s to %s: %s"
                    .formatted(member, Durations.format(min), Durations.format(max), Durations.format(value)));
        }
    }
}
