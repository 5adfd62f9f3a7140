package dev.execserver.cli.local;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text form of durations: {@code 250ms}, {@code 80s}, {@code 10m}, {@code 24h}, and {@code 0}. */
public final class Durations {
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})(ms|s|m|h)");

    private Durations() {}

    /** Parses a duration. A number without a unit is refused, except zero: 500 could mean seconds or milliseconds. */
    public static Optional<Duration> parse(String text) {
        if (text.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long millisPerUnit = switch (matcher.group(2)) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            default -> 3_600_000;
        };
        BigInteger millis = new BigInteger(matcher.group(1)).multiply(BigInteger.valueOf(millisPerUnit));
        return millis.bitLength() < Long.SIZE ? Optional.of(Duration.ofMillis(millis.longValue())) : Optional.empty();
    }

    /** Formats with the largest unit that needs no fraction, but uses seconds up to two minutes. */
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        if (millis == 0) {
            return "0";
        }
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        if (millis <= 120_000 || millis % 60_000 != 0) {
            return millis / 1_000 + "s";
        }
        return millis % 3_600_000 == 0 ? millis / 3_600_000 + "h" : millis / 60_000 + "m";
    }
}
