package dev.execserver.server.rules;

import dev.execserver.server.rules.starlark.Failure;
import java.util.Locale;

/** Reads the host of a network rule. */
final class NetworkHost {
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
        return name;
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
