package dev.execserver.sandbox.network;

import java.util.Locale;
import java.util.Optional;

/**
 * The value of a proxy variable, split at its host and port, so that everything else stays as the client wrote it.
 *
 * @param before scheme and credentials, if there are any
 * @param host without brackets
 * @param port 0 to 65535; the default of the scheme if the value names none
 * @param after path, query and fragment, if there are any
 */
record ProxyUrl(String before, String host, int port, String after) {
    private static final String SCHEME_END = "://";
    private static final int MAX_PORT = 65535;

    /** Parses a value; empty if it has no clear host and port. */
    static Optional<ProxyUrl> parse(String value) {
        String text = value.strip();
        int schemeEnd = text.indexOf(SCHEME_END);
        int start = schemeEnd < 0 ? 0 : schemeEnd + SCHEME_END.length();
        int end = start;
        while (end < text.length() && "/?#".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        int hostStart = Math.max(start, text.lastIndexOf('@', end - 1) + 1);
        String authority = text.substring(hostStart, end);
        int hostEnd = hostEnd(authority);
        if (hostEnd < 0) {
            return Optional.empty();
        }
        String scheme = schemeEnd < 0 ? "http" : text.substring(0, schemeEnd).toLowerCase(Locale.ROOT);
        int port = port(authority.substring(hostEnd), scheme);
        String host = authority.startsWith("[") ? authority.substring(1, hostEnd - 1) : authority.substring(0, hostEnd);
        return host.isEmpty() || port < 0
                ? Optional.empty()
                : Optional.of(new ProxyUrl(text.substring(0, hostStart), host, port, text.substring(end)));
    }

    /** Returns the index at which the port begins, its colon included; -1 for a bracket without its end. */
    private static int hostEnd(String authority) {
        if (authority.startsWith("[")) {
            return authority.indexOf(']') < 0 ? -1 : authority.indexOf(']') + 1;
        }
        int colon = authority.indexOf(':');
        return colon < 0 ? authority.length() : colon;
    }

    /**
     * Returns the port; -1 if the text is not one.
     *
     * @param text empty, or a colon and the port
     */
    private static int port(String text, String scheme) {
        if (text.isEmpty() || text.equals(":")) {
            return switch (scheme) {
                case "https" -> 443;
                case "socks4", "socks4a", "socks5", "socks5h" -> 1080;
                default -> 80;
            };
        }
        if (!text.matches(":[0-9]{1,5}")) {
            return -1;
        }
        int port = Integer.parseInt(text.substring(1));
        return port > MAX_PORT ? -1 : port;
    }

    /** Returns the value for another port of 127.0.0.1. */
    String at(int innerPort) {
        return before + "127.0.0.1:" + innerPort + after;
    }
}
