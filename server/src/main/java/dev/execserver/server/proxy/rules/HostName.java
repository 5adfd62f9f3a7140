package dev.execserver.server.proxy.rules;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Host names in the form that lists, questions and logs use: lower case, no brackets, no dot at the end. Stateless. */
public final class HostName {

    /** Longest host name in characters, see RFC 1035, section 2.3.4. */
    static final int MAX_LENGTH = 253;

    /** A number as the last label. Such a name is an address, because no top-level domain is a number. */
    private static final Pattern NUMBER = Pattern.compile("(^|\\.)([0-9]+|0x[0-9a-f]*)$");

    private static final String IPV4 = "(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}";

    private HostName() {}

    /**
     * Returns the normalized host. Returns empty for an invalid host and for one that two programs may read
     * differently: empty labels ({@code a.example..}), and IPv4 addresses not in dotted decimal form ({@code 127.1},
     * {@code 0x7f000001}, {@code 010.0.0.1}). International names must be in their ASCII form.
     */
    public static Optional<String> normalize(String text) {
        boolean bracketed = text.startsWith("[") && text.endsWith("]");
        String bare = bracketed ? text.substring(1, text.length() - 1) : text;
        if (bracketed || bare.indexOf(':') >= 0) {
            return literal(bare)
                    .filter(_ -> bare.indexOf(':') >= 0 && bare.indexOf('%') < 0)
                    .map(HostName::text);
        }
        String name = bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare;
        boolean labels = !name.isEmpty() && !name.startsWith(".") && !name.endsWith(".") && !name.contains("..");
        if (!labels || name.length() > MAX_LENGTH || !name.chars().allMatch(HostName::allowed)) {
            return Optional.empty();
        }
        String lower = name.toLowerCase(Locale.ROOT);
        return NUMBER.matcher(lower).find() && !lower.matches(IPV4) ? Optional.empty() : Optional.of(lower);
    }

    private static boolean allowed(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || ".-_".indexOf(c) >= 0;
    }

    /** Returns the address that a normalized host spells out. Looks up nothing. */
    public static Optional<InetAddress> literal(String host) {
        if (host.indexOf(':') < 0 && !host.matches(IPV4)) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns an address as {@link #normalize} does: IPv6 as in RFC 5952, without a scope. */
    public static String text(InetAddress address) {
        return address instanceof Inet4Address ? address.getHostAddress() : compressed(address.getAddress());
    }

    private static String compressed(byte[] bytes) {
        int[] groups = new int[8];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = (bytes[2 * i] & 0xff) << 8 | bytes[2 * i + 1] & 0xff;
        }
        int start = 0;
        int length = 0;
        for (int i = 0; i < groups.length; i++) {
            int zeros = zeros(groups, i);
            if (zeros > length) {
                start = i;
                length = zeros;
            }
        }
        return length < 2 ? joined(groups, 0, 8) : joined(groups, 0, start) + "::" + joined(groups, start + length, 8);
    }

    private static int zeros(int[] groups, int from) {
        int end = from;
        while (end < groups.length && groups[end] == 0) {
            end++;
        }
        return end - from;
    }

    private static String joined(int[] groups, int from, int to) {
        return Arrays.stream(groups, from, to).mapToObj(Integer::toHexString).collect(Collectors.joining(":"));
    }

    /** Returns the host for a URL or a Host header. */
    public static String bracketed(String host) {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    /** Returns address and port for a URL. */
    public static String authority(InetSocketAddress address) {
        return bracketed(text(address.getAddress())) + ":" + address.getPort();
    }

    /** Returns true for localhost and names below it, see RFC 6761, section 6.3. */
    public static boolean isLocalName(String host) {
        return host.equals("localhost") || host.endsWith(".localhost");
    }
}
