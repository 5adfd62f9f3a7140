package dev.execserver.server.transport.grpc;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the header {@code grpc-timeout}: at most eight digits and a unit. Stateless. */
final class GrpcTimeout {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,8})([HMSmun])");

    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "H", ChronoUnit.HOURS,
            "M", ChronoUnit.MINUTES,
            "S", ChronoUnit.SECONDS,
            "m", ChronoUnit.MILLIS,
            "u", ChronoUnit.MICROS,
            "n", ChronoUnit.NANOS);

    /** The timer of the server counts in nanoseconds, which end after 292 years. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private GrpcTimeout() {}

    /** @return empty if the text has another form */
    static Optional<Duration> parse(String text) {
        Matcher found = FORM.matcher(text);
        if (!found.matches()) {
            return Optional.empty();
        }
        Duration time = Duration.of(Long.parseLong(found.group(1)), UNITS.get(found.group(2)));
        return Optional.of(time.compareTo(LONGEST) > 0 ? LONGEST : time);
    }
}
