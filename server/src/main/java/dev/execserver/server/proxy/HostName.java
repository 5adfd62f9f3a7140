package dev.execserver.server.proxy;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Hosts as lists, questions and logs name them: lower case, no brackets, no dot at the end. Stateless. */
final class HostName {

    /** RFC 1035, section 2.3.4. */
    static final int MAX_LENGTH = 253;

    private HostName() {}

    /** Empty for what can be no host. Names of other alphabets have to come in their ASCII form. */
    static Optional<String> normalize(String text) {
        boolean bracketed = text.startsWith("[") && text.endsWith("]");
        String bare = bracketed ? text.substring(1, text.length() - 1) : text;
        if (bracketed || bare.indexOf(':') >= 0) {
            return literal(bare)
                    .filter(_ -> bare.indexOf(':') >= 0 && bare.indexOf('%') < 0)
                    .map(HostName::text);
        }
        String name = bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare;
        if (name.isEmpty() || name.length() > MAX_LENGTH || !name.chars().allMatch(HostName::allowed)) {
            return Optional.empty();
        }
        return Optional.of(name.toLowerCase(Locale.ROOT));
    }

    private static boolean allowed(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || ".-_".indexOf(c) >= 0;
    }

    /** The address that a normalized host spells out in the usual form; nothing is looked up. */
    static Optional<InetAddress> literal(String host) {
        if (host.indexOf(':') < 0 && !host.matches("[0-9]+(\\.[0-9]+){3}")) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** An address as {@link #normalize} gives it: an IPv6 one as in RFC 5952, without a scope. */
    static String text(InetAddress address) {
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

    /** As part of a URL or a Host header. */
    static String bracketed(String host) {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    /** RFC 6761, section 6.3. */
    static boolean isLocalName(String host) {
        return host.equals("localhost") || host.endsWith(".localhost");
    }
}
