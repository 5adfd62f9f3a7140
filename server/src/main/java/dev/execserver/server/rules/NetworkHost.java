package dev.execserver.server.rules;

import dev.execserver.server.rules.starlark.Failure;
import java.net.InetAddress;
import java.util.Locale;
import java.util.regex.Pattern;

/** Reads the host of a network rule. */
final class NetworkHost {
    /** A number as the last label. Such a name is an address, because no top-level domain is a number. */
    private static final Pattern NUMBER = Pattern.compile("(^|\\.)([0-9]+|0x[0-9a-f]*)$");

    private NetworkHost() {}

    /** Returns the host in lower case, without port, brackets and trailing dots. */
    static String read(String given) {
        String host = given.strip();
        if (host.isEmpty()) {
            throw invalid("cannot be empty");
        }
        if (host.contains("://") || host.contains("/") || host.contains("?") || host.contains("#")) {
            throw invalid("must be a hostname or IP literal (without scheme or path)");
        }
        String name = (host.startsWith("[") ? bracketed(host) : withoutPort(host)).replaceFirst("\\.+$", "");
        name = name.strip().toLowerCase(Locale.ROOT);
        if (name.isEmpty()) {
            throw invalid("cannot be empty");
        }
        if (name.contains("*")) {
            throw invalid("must be a specific host; wildcards are not allowed");
        }
        if (name.codePoints().anyMatch(Character::isWhitespace)) {
            throw invalid("cannot contain whitespace");
        }
        if (name.indexOf(':') < 0 && !name.matches("[a-z0-9._-]+")) {
            throw invalid("can never match: international names are written in their ASCII form (xn--...)");
        }
        if ((name.indexOf(':') >= 0 || NUMBER.matcher(name).find()) && !isAddress(name)) {
            throw invalid("can never match: it is no address in the usual spelling");
        }
        return name;
    }

    private static boolean isAddress(String text) {
        if (text.indexOf('%') >= 0) {
            return false; // an interface of this machine
        }
        try {
            InetAddress address = InetAddress.ofLiteral(text);
            return text.indexOf(':') >= 0 || address.getHostAddress().equals(text);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String bracketed(String host) {
        int end = host.indexOf(']');
        if (end < 0) {
            throw invalid("has an invalid bracketed IPv6 literal");
        }
        String suffix = host.substring(end + 1);
        if (!suffix.isEmpty() && !suffix.matches(":[0-9]+")) {
            throw invalid("contains an unsupported suffix: " + host);
        }
        return host.substring(1, end);
    }

    /** A single colon with digits behind it is a port; several are an IPv6 address. */
    private static String withoutPort(String host) {
        return host.matches("[^:]+:[0-9]+") ? host.substring(0, host.indexOf(':')) : host;
    }

    private static Failure invalid(String words) {
        return new Failure("invalid rule: network_rule host " + words);
    }
}
