package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.rpc.RpcException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One pattern of a host list: a host, {@code *.example.com} for hosts below it, {@code **.example.com} for both,
 * {@code *} for every host. A star elsewhere stands for any characters, dots included. Immutable.
 *
 * @param text as the client wrote it, for logs
 * @param glob the normalized pattern
 * @param withBase true if the glob is {@code *.x} and {@code x} matches too
 * @param port the port of the pattern, if it has one
 */
record HostPattern(String text, String glob, boolean withBase, OptionalInt port) {

    static final String ANY = "*";

    private static final int MAX_PORT = 65535;

    /** @throws RpcException -32602 with the text of the reference server */
    static HostPattern parse(String text) {
        String pattern = text.strip();
        if (pattern.isEmpty()) {
            throw invalid("domain pattern is empty");
        }
        OptionalInt port = portOf(pattern);
        if (port.isPresent() && (port.getAsInt() == 0 || port.getAsInt() > MAX_PORT)) {
            throw invalid("domain pattern can never match, ports are 1 to " + MAX_PORT + ": " + text);
        }
        String host = port.isPresent() ? pattern.substring(0, pattern.lastIndexOf(':')) : pattern;
        boolean withBase = host.startsWith("**.");
        String bare = withBase ? host.substring(1) : host;
        return new HostPattern(text, normalize(bare, text), withBase, port);
    }

    private static OptionalInt portOf(String pattern) {
        int colon = pattern.lastIndexOf(':');
        boolean one = colon > 0 && (pattern.indexOf(':') == colon || pattern.charAt(colon - 1) == ']');
        String digits = one ? pattern.substring(colon + 1) : "";
        return digits.matches("[0-9]{1,5}") ? OptionalInt.of(Integer.parseInt(digits)) : OptionalInt.empty();
    }

    private static String normalize(String host, String text) {
        if (host.indexOf('*') < 0) {
            return HostName.normalize(host).orElseThrow(() -> invalid("unsupported domain pattern syntax: " + text));
        }
        // HostName knows no stars, so it gets letters instead.
        Optional<String> plain = HostName.normalize(host.replace('*', 'x'));
        if (plain.isEmpty() || host.indexOf(':') >= 0) {
            throw invalid("unsupported domain pattern syntax: " + text);
        }
        return host.toLowerCase(Locale.ROOT).substring(0, plain.get().length());
    }

    static RpcException invalid(String why) {
        return RpcException.invalidParams("invalid network proxy config: " + why);
    }

    boolean any() {
        return glob.equals(ANY);
    }

    /** Returns true if the pattern has no star. */
    boolean exact() {
        return glob.indexOf('*') < 0;
    }

    /** Returns true if the host matches, with any port. */
    boolean matches(String host) {
        return (withBase && host.equals(glob.substring(2))) || globMatches(host);
    }

    /** Returns true if host and port match. */
    boolean matches(String host, int wantedPort) {
        return matches(host) && (port.isEmpty() || port.getAsInt() == wantedPort);
    }

    /** Matches the glob. Remembers only the last star, so the time is proportional to the product of the lengths. */
    private boolean globMatches(String host) {
        int p = 0;
        int h = 0;
        int star = -1;
        int retry = 0;
        while (h < host.length()) {
            if (p < glob.length() && glob.charAt(p) == '*') {
                star = p++;
                retry = h;
            } else if (p < glob.length() && glob.charAt(p) == host.charAt(h)) {
                p++;
                h++;
            } else if (star >= 0) {
                p = star + 1;
                h = ++retry;
            } else {
                return false;
            }
        }
        while (p < glob.length() && glob.charAt(p) == '*') {
            p++;
        }
        // "*.x" stands for hosts below x, so its star is not empty.
        return p == glob.length() && !(glob.startsWith("*.") && host.startsWith("."));
    }
}
