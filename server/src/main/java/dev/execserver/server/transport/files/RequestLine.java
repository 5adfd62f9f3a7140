package dev.execserver.server.transport.files;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

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

    byte[] bytes() {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
