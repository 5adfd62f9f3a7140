package dev.execserver.server.transport.origin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads the values of {@code X-Forwarded-For} and {@code Forwarded} (RFC 7239 section 4). An element that names no address is
 * empty in the list. Stateless.
 */
final class ForwardedField {
    private static final String FOR = "for=";

    private ForwardedField() {}

    static List<Optional<Hop>> customary(String list) {
        List<Optional<Hop>> hops = new ArrayList<>();
        for (String element : list.split(",", -1)) {
            hops.add(Hop.parse(element.strip()));
        }
        return hops;
    }

    static List<Optional<Hop>> standard(String list) {
        return split(list, ',').stream().map(ForwardedField::element).toList();
    }

    /** Reads {@code for=1.2.3.4;proto=https}; empty unless exactly one pair is a {@code for}. */
    private static Optional<Hop> element(String element) {
        List<String> values = split(element, ';').stream()
                .map(String::strip)
                .filter(pair -> pair.toLowerCase(Locale.ROOT).startsWith(FOR))
                .map(pair -> unquoted(pair.substring(FOR.length())))
                .toList();
        return values.size() == 1 ? Hop.parse(values.getFirst()) : Optional.empty();
    }

    /** Addresses hold nothing that would be escaped, so a text with a backslash is none. */
    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    /** Splits at a separator outside of quotes. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int begin = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && quoted) {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                parts.add(text.substring(begin, i));
                begin = i + 1;
            }
        }
        parts.add(text.substring(begin));
        return parts;
    }
}
