package dev.execserver.server.proxy;

import dev.execserver.protocol.net.NetworkProtocol;
import dev.execserver.server.proxy.http.PeerInput;
import dev.execserver.server.proxy.http.UpstreamException;
import dev.execserver.server.proxy.rules.HostName;
import dev.execserver.server.proxy.rules.ProxyDestination;
import dev.execserver.server.proxy.rules.Ruling;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Serves SOCKS5 (RFC 1928) to the process: no authentication, command CONNECT. One thread for each connection; no
 * state.
 */
final class SocksService implements Service {

    private static final int VERSION = 5;
    private static final int NO_AUTHENTICATION = 0;
    private static final int NONE_ACCEPTABLE = 0xff;
    private static final int CONNECT = 1;
    private static final int IPV4 = 1;
    private static final int NAME = 3;
    private static final int IPV6 = 4;

    /** Reply codes, RFC 1928 section 6. */
    private enum Reply {
        SUCCEEDED,
        FAILURE,
        NOT_ALLOWED,
        NETWORK_UNREACHABLE,
        HOST_UNREACHABLE,
        REFUSED,
        TTL_EXPIRED,
        COMMAND_UNSUPPORTED,
        ADDRESS_UNSUPPORTED
    }

    private final ProxyParts parts;

    SocksService(ProxyParts parts) {
        this.parts = parts;
    }

    @Override
    public void serve(ProxyConnection visit) throws IOException, InterruptedException {
        visit.watch().within(parts.bounds().headTime());
        if (!greet(visit)) {
            return;
        }
        PeerInput in = visit.source();
        int version = in.octet();
        int command = in.octet();
        int reserved = in.octet();
        if (version != VERSION || reserved != 0) {
            reply(visit, Reply.FAILURE);
            return;
        }
        Optional<String> host = host(in);
        int port = in.octet() << 8 | in.octet();
        if (command != CONNECT) {
            reply(visit, Reply.COMMAND_UNSUPPORTED);
        } else if (host.isEmpty() || port == 0) {
            reply(visit, Reply.ADDRESS_UNSUPPORTED);
        } else {
            connect(
                    visit,
                    new ProxyDestination(
                            NetworkProtocol.SOCKS5_TCP,
                            host.get(),
                            port,
                            Optional.empty(),
                            visit.wire().peer()));
        }
    }

    private static boolean greet(ProxyConnection visit) throws IOException {
        PeerInput in = visit.source();
        if (!in.awaitByte() || in.octet() != VERSION) {
            return false; // SOCKS4, HTTP or something else
        }
        byte[] methods = in.octets(in.octet());
        boolean acceptable = false;
        for (byte method : methods) {
            acceptable |= method == NO_AUTHENTICATION;
        }
        visit.answer(new byte[] {VERSION, (byte) (acceptable ? NO_AUTHENTICATION : NONE_ACCEPTABLE)});
        return acceptable;
    }

    /** Returns empty for an invalid host. */
    private static Optional<String> host(PeerInput in) throws IOException {
        return switch (in.octet()) {
            case IPV4 -> Optional.of(HostName.text(InetAddress.getByAddress(in.octets(4))));
            case IPV6 -> Optional.of(HostName.text(InetAddress.getByAddress(in.octets(16))));
            case NAME -> HostName.normalize(new String(in.octets(in.octet()), StandardCharsets.ISO_8859_1));
            default -> Optional.empty();
        };
    }

    private void connect(ProxyConnection visit, ProxyDestination target) throws IOException, InterruptedException {
        Exchange exchange = new Exchange(target);
        try {
            visit.watch().idle(parts.longestWait());
            Ruling ruling = parts.judge().judge(target);
            exchange.ruled(ruling);
            switch (ruling) {
                case Ruling.Refused _ -> reply(visit, Reply.NOT_ALLOWED);
                case Ruling.Unknown _ -> reply(visit, Reply.HOST_UNREACHABLE);
                case Ruling.Permitted permitted -> relay(visit, permitted, exchange);
            }
        } finally {
            parts.log().write(exchange);
        }
    }

    private void relay(ProxyConnection visit, Ruling.Permitted permitted, Exchange exchange)
            throws IOException, InterruptedException {
        visit.watch().idle(parts.bounds().idle());
        TcpConnection wire;
        try {
            wire = parts.outgoing().tunnel(exchange.target(), permitted.addresses(), visit.watch(), visit::opened);
        } catch (UpstreamException e) {
            exchange.ended("unreachable: " + e.getMessage());
            reply(visit, e.getCause() instanceof ConnectException ? Reply.REFUSED : Reply.HOST_UNREACHABLE);
            return;
        }
        reply(visit, Reply.SUCCEEDED);
        DuplexRelay.run(visit, wire, new PeerInput(wire.input(), visit.watch()), exchange);
        exchange.ended(visit.watch().expired() ? "idle" : "closed");
    }

    /** Sends a reply. Hides the local address behind 0.0.0.0. */
    private static void reply(ProxyConnection visit, Reply reply) throws IOException {
        visit.answer(new byte[] {VERSION, (byte) reply.ordinal(), 0, IPV4, 0, 0, 0, 0, 0, 0});
    }
}
