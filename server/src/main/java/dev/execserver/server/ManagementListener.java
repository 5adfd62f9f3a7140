package dev.execserver.server;

import dev.execserver.server.access.AccessLog;
import dev.execserver.server.config.ListenUrl;
import dev.execserver.server.config.LocalAccess;
import dev.execserver.server.peer.PeerGuard;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.auth.Authenticator;
import dev.execserver.server.transport.auth.HostNames;
import dev.execserver.server.transport.auth.LocalUser;
import dev.execserver.server.transport.auth.NoUpgrades;
import dev.execserver.server.transport.management.Page;
import dev.execserver.server.transport.management.PageEndpoint;
import dev.execserver.server.transport.websocket.WebSocketOptions;
import dev.execserver.server.transport.websocket.WebSocketOptions.Access;
import dev.execserver.server.transport.websocket.WebSocketOptions.Http;
import dev.execserver.server.transport.websocket.WebSocketOptions.Place;
import dev.execserver.server.transport.websocket.WebSocketServer;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Address of health checks and pages for operators. On a Unix socket the server's user and root get all pages; on a network
 * everybody gets those that only show numbers.
 */
final class ManagementListener implements AutoCloseable {
    private static final HostNames HOSTS = HostNames.of(List.of(WebSocketOptions.LOCALHOST));

    private final WebSocketServer server;
    private final PeerGuard guard;

    private ManagementListener(WebSocketServer server, PeerGuard guard) {
        this.server = server;
        this.guard = guard;
    }

    /**
     * Listens.
     *
     * @param numbers pages for everybody
     * @param actions pages for those who may administer the server
     * @throws java.io.UncheckedIOException if the address is not free
     */
    static ManagementListener open(
            ListenUrl url, List<Page> numbers, List<Page> actions, BooleanSupplier ready, AccessLog accessLog) {
        PeerGuard guard = new PeerGuard(false, List.of());
        boolean opened = false;
        try {
            WebSocketOptions network =
                    options(new PageEndpoint(numbers, Authenticator.NONE, HOSTS), guard, ready, accessLog);
            List<Page> all = Stream.concat(numbers.stream(), actions.stream()).toList();
            WebSocketOptions local = options(new PageEndpoint(all, new LocalUser(), HOSTS), guard, ready, accessLog);
            WebSocketServer server = SocketListener.open(
                    url, LocalAccess.DEFAULTS, network, local, transport -> transport.close(CloseReason.GOING_AWAY));
            opened = true;
            return new ManagementListener(server, guard);
        } finally {
            if (!opened) {
                guard.close();
            }
        }
    }

    private static WebSocketOptions options(
            PageEndpoint pages, PeerGuard guard, BooleanSupplier ready, AccessLog accessLog) {
        WebSocketOptions defaults = WebSocketOptions.DEFAULT;
        return new WebSocketOptions(
                new Access(new NoUpgrades(), true, Optional.empty(), HOSTS, guard),
                defaults.times(),
                defaults.room(),
                new Http(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        ready,
                        Place.DIRECT,
                        Optional.of(pages),
                        Optional.empty(),
                        Optional.empty()),
                accessLog);
    }

    @Override
    public void close() {
        server.close();
        guard.close();
    }
}
