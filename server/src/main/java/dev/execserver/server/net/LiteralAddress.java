package dev.execserver.server.net;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Optional;

/** Parses hosts that are IP addresses. Never asks a name server. Stateless. */
final class LiteralAddress {

    private LiteralAddress() {}

    /** Returns the address that a host of a URL spells out. IPv6 addresses stand in brackets. */
    static Optional<InetAddress> of(String host) {
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        String bare = bracketed ? host.substring(1, host.length() - 1) : host;
        if (!bracketed && !bare.matches("[0-9.]+")) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.ofLiteral(bare));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the address as the host of a URL. */
    static String text(InetAddress address) {
        String text = address.getHostAddress();
        // A scope is local to this machine and may not stand in a URL.
        int scope = text.indexOf('%');
        String plain = scope < 0 ? text : text.substring(0, scope);
        return address instanceof Inet6Address ? "[" + plain + "]" : plain;
    }

    /** Returns true if a host always means this machine. */
    static boolean isLoopback(String host) {
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host; // without a final dot
        return name.equals("localhost")
                || name.endsWith(".localhost")
                || of(host).filter(address -> address.isLoopbackAddress() || address.isAnyLocalAddress())
                        .isPresent();
    }
}
