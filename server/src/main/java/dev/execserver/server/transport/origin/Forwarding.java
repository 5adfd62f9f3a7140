package dev.execserver.server.transport.origin;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds the client behind trusted proxies. Each proxy appends the address of its peer to one header, so the list is read from its
 * end: addresses of trusted proxies are passed over, and the first other one is the client. Whatever stands before it was sent by
 * the client and means nothing.
 *
 * <p>Only one header is read. A proxy that sets {@code X-Forwarded-For} passes a {@code Forwarded} of the client on unchanged.
 *
 * @param standard true to read {@code Forwarded} (RFC 7239), false for {@code X-Forwarded-For}
 * @param trusted tells the addresses of proxies
 */
public record Forwarding(boolean standard, Predicate<InetAddress> trusted) {
    /** Trusts nobody: the client is the peer. */
    public static final Forwarding NONE = new Forwarding(false, _ -> false);

    private static final HeaderName CUSTOMARY = HeaderNames.create("X-Forwarded-For");
    private static final HeaderName STANDARD = HeaderNames.create("Forwarded");

    /**
     * Returns the address of the client of a request.
     *
     * @param peer other end of the connection
     * @param peerText the same for logs
     */
    public ClientAddress client(SocketAddress peer, String peerText, Headers headers) {
        HeaderName name = standard ? STANDARD : CUSTOMARY;
        if (!(peer instanceof InetSocketAddress internet)
                || !trusted.test(internet.getAddress())
                || !headers.contains(name)) {
            return ClientAddress.direct(peerText);
        }
        String list = String.join(",", headers.get(name).allValues());
        List<Optional<Hop>> hops = standard ? ForwardedField.standard(list) : ForwardedField.customary(list);
        Optional<Hop> client = Optional.empty();
        for (Optional<Hop> hop : hops.reversed()) {
            if (hop.isEmpty()) {
                break; // hidden or no address: the proxy after it is the last one that is known
            }
            client = hop;
            if (!trusted.test(hop.get().address())) {
                break;
            }
        }
        return client.map(found -> new ClientAddress(found.text(), Optional.of(peerText)))
                .orElseGet(() -> ClientAddress.direct(peerText));
    }
}
