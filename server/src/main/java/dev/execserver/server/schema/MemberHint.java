package dev.execserver.server.schema;

import dev.execserver.server.config.SpellingHint;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Suggests the member that was meant: another way to write it, a typing error, a name without its unit. Stateless. */
final class MemberHint {

    /** Characters of a beginning from which on it tells the name. */
    private static final int TELLING = 3;

    private MemberHint() {}

    static Optional<String> nearest(String written, Collection<String> known) {
        String plain = plain(written);
        return known.stream()
                .filter(name -> plain(name).equals(plain))
                .findFirst()
                .or(() -> SpellingHint.nearest(written, known))
                .or(() -> only(known.stream()
                        .filter(name -> begins(plain(name), plain))
                        .toList()));
    }

    private static boolean begins(String one, String other) {
        return Math.min(one.length(), other.length()) >= TELLING && (one.startsWith(other) || other.startsWith(one));
    }

    private static Optional<String> only(List<String> names) {
        return names.size() == 1 ? Optional.of(names.getFirst()) : Optional.empty();
    }

    /** Returns the name as it is compared, so that {@code timeout_ms} is {@code timeoutMs}. */
    private static String plain(String name) {
        return name.replace("_", "").replace("-", "").toLowerCase(Locale.ROOT);
    }
}
