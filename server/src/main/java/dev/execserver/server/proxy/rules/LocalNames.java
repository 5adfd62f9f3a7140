package dev.execserver.server.proxy.rules;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Names of the loopback network of this machine. A program that is denied one of them, or must be asked about one, could otherwise use
 * another one. Stateless.
 */
final class LocalNames {

    /** The names that rules use. */
    static final List<String> ALL = List.of("127.0.0.1", "localhost", "::1");

    private LocalNames() {}

    /** Returns the target by its own name, and by the others of its place. */
    static Stream<ProxyDestination> of(ProxyDestination target) {
        Stream<String> others =
                local(target.host()) ? ALL.stream().filter(name -> !name.equals(target.host())) : Stream.empty();
        return Stream.concat(Stream.of(target), others.map(target::at));
    }

    private static boolean local(String host) {
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
