package dev.execserver.client.transport;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Headers that a client sends with the upgrade beside those of RFC 6455. Immutable.
 *
 * @param token supplies the bearer token, anew for each connection; called on the thread that connects
 * @param others further headers by name
 */
public record UpgradeHeaders(Optional<Supplier<String>> token, Map<String, String> others) {

    public static final UpgradeHeaders NONE = new UpgradeHeaders(Optional.empty(), Map.of());

    private static final String TOKEN_CHARACTERS = "[\\x21-\\x7e]+";

    /** RFC 9110 section 5.6.2. */
    private static final String NAME = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

    /** RFC 9110 section 5.5, without what is not ASCII. */
    private static final String VALUE = "[\\x21-\\x7e]([\\x20-\\x7e\\t]*[\\x21-\\x7e])?";

    private static final Set<String> OURS = Set.of("authorization", "host", "connection", "upgrade", "content-length");

    private static final String WEBSOCKET = "sec-websocket-";

    public UpgradeHeaders {
        others = Map.copyOf(others);
    }

    public UpgradeHeaders withToken(Supplier<String> supplier) {
        return new UpgradeHeaders(Optional.of(supplier), others);
    }

    /** @throws IllegalArgumentException when it is no header of HTTP, or one that the client sets itself */
    public UpgradeHeaders with(String name, String value) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (!name.matches(NAME) || !value.matches(VALUE)) {
            throw new IllegalArgumentException("`" + name + "` is no header of HTTP with a value of ASCII text");
        }
        if (OURS.contains(lower) || lower.startsWith(WEBSOCKET)) {
            throw new IllegalArgumentException("the header `" + name + "` is set by the client itself");
        }
        Map<String, String> more = new LinkedHashMap<>(others);
        more.put(name, value);
        return new UpgradeHeaders(token, more);
    }

    /** Asks for a token. Throws IOException when the supplier fails, or its token cannot stand in a header. */
    public static String supplied(Supplier<String> supplier) throws IOException {
        try {
            return checked(supplier.get());
        } catch (RuntimeException e) {
            throw new IOException("no bearer token: " + e.getMessage(), e);
        }
    }

    /** Returns a token as it is. Throws IllegalArgumentException when it has spaces or is not ASCII; does not repeat it. */
    public static String checked(String token) {
        if (token == null || !token.matches(TOKEN_CHARACTERS)) {
            throw new IllegalArgumentException("a bearer token has no spaces and is ASCII");
        }
        return token;
    }

    /** Returns all lines, each with its end. */
    String lines() throws IOException {
        StringBuilder lines = new StringBuilder();
        if (token.isPresent()) {
            lines.append("Authorization: Bearer ").append(supplied(token.get())).append("\r\n");
        }
        for (Map.Entry<String, String> other : new TreeMap<>(others).entrySet()) {
            lines.append(other.getKey()).append(": ").append(other.getValue()).append("\r\n");
        }
        return lines.toString();
    }
}
