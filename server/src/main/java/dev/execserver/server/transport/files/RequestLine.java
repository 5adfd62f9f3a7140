package dev.execserver.server.transport.files;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * First line of a request, converted to the form that Helidon understands: origin form and HTTP/1.1.
 *
 * @param text the line that Helidon reads
 * @param authority of an absolute-form target ({@code GET http://host/path}, RFC 9112 section 3.2.2), which replaces
 *     the Host header
 * @param old true for HTTP/1.0, which health checks of load balancers use: the connection ends after the answer
 */
record RequestLine(String text, Optional<String> authority, boolean old) {
    static final RequestLine NONE = new RequestLine("", Optional.empty(), false);

    /** RFC 9110 section 5.6.2. */
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** No part of a target has a blank, a control character or anything but ASCII; a fragment is not sent (RFC 9110 section 7.1). */
    private static final Pattern VISIBLE = Pattern.compile("[!-~&&[^#]]+");

    /** RFC 3986 section 3.1. */
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:");

    private static final String OLD = " HTTP/1.0";
    private static final String NOW = " HTTP/1.1";

    static RequestLine of(byte[] line) {
        String text = new String(line, StandardCharsets.ISO_8859_1); // keeps each byte
        boolean old = text.endsWith(OLD);
        return originForm(old ? text.substring(0, text.length() - OLD.length()) + NOW : text, old);
    }

    private static RequestLine originForm(String text, boolean old) {
        int target = text.indexOf(' ') + 1;
        int scheme = schemeLength(text, target);
        if (scheme == 0) {
            return new RequestLine(text, Optional.empty(), old);
        }
        int host = target + scheme;
        int end = host;
        while (end < text.length() && "/?# ".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        String authority = text.substring(host, end);
        if (authority.isEmpty() || authority.contains("@")) {
            return new RequestLine(text, Optional.empty(), old); // is refused later: RFC 9110 sections 4.2.1 and 4.2.4
        }
        String root = end < text.length() && text.charAt(end) == '/' ? "" : "/";
        return new RequestLine(text.substring(0, target) + root + text.substring(end), Optional.of(authority), old);
    }

    private static int schemeLength(String text, int from) {
        String start = text.substring(from, Math.min(text.length(), from + "https://".length()))
                .toLowerCase(Locale.ROOT);
        if (start.startsWith("http://")) {
            return "http://".length();
        }
        return start.equals("https://") ? start.length() : 0;
    }

    /**
     * Returns true for a method that is no token, and for a target without a form of RFC 9112 section 3.2 that a server takes
     * which is no proxy. Helidon (4.5.0) answers 500 to such methods and takes such targets. It checks versions itself.
     */
    boolean malformed() {
        int space = text.indexOf(' ');
        int last = text.lastIndexOf(' ');
        if (space == last) {
            return true;
        }
        String method = text.substring(0, space);
        return !TOKEN.matcher(method).matches() || !target(method, text.substring(space + 1, last));
    }

    private static boolean target(String method, String target) {
        return (method.equals("OPTIONS") && target.equals("*")) || locator(target);
    }

    /** Returns true for a path, or for an absolute URL of another scheme. Those of http were converted to paths before. */
    private static boolean locator(String target) {
        return VISIBLE.matcher(target).matches()
                && (target.startsWith("/")
                        || (schemeLength(target, 0) == 0
                                && SCHEME.matcher(target).lookingAt()));
    }

    byte[] bytes() {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
