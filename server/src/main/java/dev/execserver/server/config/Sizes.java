package dev.execserver.server.config;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text form of sizes in bytes: {@code 65536}, {@code 64KiB}, {@code 32MiB}, {@code 4GiB}. */
final class Sizes {
    static final long KIB = 1L << 10;
    static final long MIB = 1L << 20;
    static final long GIB = 1L << 30;

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})(KiB|MiB|GiB)?");

    private Sizes() {}

    static Optional<Long> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long unit = switch (matcher.group(2)) {
            case "KiB" -> KIB;
            case "MiB" -> MIB;
            case "GiB" -> GIB;
            case null, default -> 1;
        };
        BigInteger bytes = new BigInteger(matcher.group(1)).multiply(BigInteger.valueOf(unit));
        return bytes.bitLength() < Long.SIZE ? Optional.of(bytes.longValue()) : Optional.empty();
    }

    static String format(long bytes) {
        if (bytes != 0 && bytes % GIB == 0) {
            return bytes / GIB + "GiB";
        }
        if (bytes != 0 && bytes % MIB == 0) {
            return bytes / MIB + "MiB";
        }
        return bytes != 0 && bytes % KIB == 0 ? bytes / KIB + "KiB" : Long.toString(bytes);
    }
}
