package dev.execserver.sandbox.network;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A proxy on the loopback interface of the host.
 *
 * @param addresses addresses to try, in this order: {@code localhost} has two
 */
public record ProxyEndpoint(List<InetSocketAddress> addresses) {
    private static final InetAddress IPV4 = literal(new byte[] {127, 0, 0, 1});
    private static final InetAddress IPV6 = literal(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});

    private static final Map<String, List<InetAddress>> HOSTS =
            Map.of("127.0.0.1", List.of(IPV4), "::1", List.of(IPV6), "localhost", List.of(IPV4, IPV6));

    public ProxyEndpoint {
        addresses = List.copyOf(addresses);
    }

    /** Returns true if a host, without brackets, is a known name of the loopback interface. */
    static boolean loopback(String host) {
        return HOSTS.containsKey(host.toLowerCase(Locale.ROOT));
    }

    static ProxyEndpoint of(String loopbackHost, int port) {
        return new ProxyEndpoint(HOSTS.get(loopbackHost.toLowerCase(Locale.ROOT)).stream()
                .map(address -> new InetSocketAddress(address, port))
                .toList());
    }

    public int port() {
        return addresses.getFirst().getPort();
    }

    private static InetAddress literal(byte[] address) {
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of this length is always one", e);
        }
    }
}
