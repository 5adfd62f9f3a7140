package dev.execserver.server.proxy.rules;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * Names of the loopback network of this machine. A program that is denied one of them, or must be asked about one, could otherwise use
 * another one. Stateless.
 */
final class LocalNames {

    /** The names that programs use. */
    static final List<String> ALL = List.of("127.0.0.1", "localhost", "::1");

    private LocalNames() {}

    /** Texts for a star of a pattern that make such a name of it: a label, the rest of an address. */
    private static final List<String> STARS = List.of("x", "0", "0.0", "0.0.0", "1", "1.1", "1.1.1");

    /** Returns a name of this machine that the pattern is meant for; empty if it is about other hosts too. */
    static Optional<String> meant(HostPattern pattern) {
        return STARS.stream()
                .map(star -> pattern.glob().replace(HostPattern.ANY, star))
                .filter(LocalNames::local)
                .findFirst();
    }

    static boolean local(String host) {
        return HostName.isLocalName(host)
                || HostName.literal(host).filter(LocalNames::local).isPresent();
    }

    /** Returns true also for 0.0.0.0 and ::, which connect(2) takes for loopback, and for an IPv4 address inside of an IPv6 one. */
    private static boolean local(InetAddress address) {
        Optional<InetAddress> carried = AddressScope.carried(address);
        return address.isLoopbackAddress()
                || address.isAnyLocalAddress()
                || carried.filter(inner -> inner.isLoopbackAddress() || inner.isAnyLocalAddress())
                        .isPresent();
    }
}
