package dev.execserver.server.config;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text form of socket addresses: {@code IP:PORT} and {@code [IPv6]:PORT}. */
final class SocketAddressText {
    private static final int MAX_PORT = 65_535;

    // InetAddress.ofLiteral also knows the short forms of inet_addr(3), "127.1" or "2130706433". They are refused,
    // because they do not look like addresses.
    private static final String OCTET = "(?:0|[1-9][0-9]{0,2})";
    private static final Pattern IPV4 = Pattern.compile("(" + OCTET + "(?:\\." + OCTET + "){3}):([0-9]{1,5})");
    private static final Pattern IPV6 = Pattern.compile("\\[([0-9A-Fa-f:.]+(?:%[0-9]+)?)]:([0-9]{1,5})");

    private SocketAddressText() {}

    static Optional<InetSocketAddress> parse(String text) {
        Matcher v4 = IPV4.matcher(text);
        if (v4.matches()) {
            return address(v4.group(1), v4.group(2));
        }
        Matcher v6 = IPV6.matcher(text);
        return v6.matches() && v6.group(1).contains(":") ? address(v6.group(1), v6.group(2)) : Optional.empty();
    }

    static String format(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        String host = ip instanceof Inet6Address ? "[" + ip.getHostAddress() + "]" : ip.getHostAddress();
        return host + ":" + address.getPort();
    }

    private static Optional<InetSocketAddress> address(String host, String portDigits) {
        int port = Integer.parseInt(portDigits);
        if (port > MAX_PORT) {
            return Optional.empty();
        }
        try {
            return Optional.of(new InetSocketAddress(InetAddress.ofLiteral(host), port));
        } catch (IllegalArgumentException notAnAddress) {
            return Optional.empty();
        }
    }
}
