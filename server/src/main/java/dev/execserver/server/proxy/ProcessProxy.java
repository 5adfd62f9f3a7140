package dev.execserver.server.proxy;

import dev.execserver.protocol.net.ProxyChange;
import dev.execserver.protocol.process.Denial;
import dev.execserver.sandbox.connect.ConnectPolicy;
import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.names.NameResponder;
import dev.execserver.server.network.BridgeHandler;
import dev.execserver.server.network.BridgeRoute;
import dev.execserver.server.network.BridgedConnection;
import dev.execserver.server.proxy.rules.OwnPorts;
import dev.execserver.server.proxy.rules.RefusalAdvice;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network proxy of one process, from its start until {@link #close}, which ends every connection. Made by
 * {@link NetworkProxies}. Any thread.
 */
public final class ProcessProxy implements AutoCloseable {

    /** Time after the process's end in which data that it has sent is still delivered. */
    static final Duration LINGER = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(ProcessProxy.class);

    private final OpenConnections connections;
    private final Timers timers;
    private final ProxySockets sockets;
    private final ProxyListener http;
    private final Optional<ProxyListener> socks;
    private final Map<String, String> environment;
    private final HttpService httpService;
    private final SocksService socksService;
    private final ProxyParts parts;
    private final AtomicReference<Optional<Transparent>> transparency = new AtomicReference<>(Optional.empty());

    ProcessProxy(
            ProxyParts parts,
            boolean socks5,
            boolean localBinding,
            OwnPorts ownPorts,
            Timers timers,
            ProxySockets sockets,
            Semaphore ofAll) {
        this.parts = parts;
        this.sockets = sockets;
        this.timers = timers;
        this.connections = new OpenConnections(sockets.forCommand(parts.bounds().connections()), ofAll);
        this.httpService = new HttpService(parts);
        this.socksService = new SocksService(parts);
        this.http = ProxyListener.open(connections, ownPorts, sockets, wire -> admit(wire, httpService));
        boolean complete = false;
        try {
            this.socks = socks5
                    ? Optional.of(ProxyListener.open(connections, ownPorts, sockets, wire -> admit(wire, socksService)))
                    : Optional.empty();
            complete = true;
        } finally {
            if (!complete) {
                http.close();
            }
        }
        this.environment = ProxyEnvironment.of(http.address(), socks.map(ProxyListener::address), localBinding);
    }

    /** The variables that point a program to this proxy. They replace those that the process would have had. */
    public Map<String, String> environment() {
        return environment;
    }

    /**
     * Returns the routes for a process in a sandbox with a bridge. Connections from the sandbox are served as if they
     * had come to the addresses in the variables. Closes these addresses, so that no other process can connect.
     */
    public List<BridgeRoute> takeRoutes() {
        http.close();
        socks.ifPresent(ProxyListener::close);
        List<BridgeRoute> routes = new ArrayList<>();
        routes.add(new BridgeRoute(http.address(), connection -> serveBridged(connection, httpService)));
        socks.ifPresent(door ->
                routes.add(new BridgeRoute(door.address(), connection -> serveBridged(connection, socksService))));
        return routes;
    }

    /** Makes the part that serves programs which know no proxy. @param innerPort the port inside that leads to it */
    public Transparent transparent(int innerPort) {
        TransparentTcp made = new TransparentTcp(parts, connections, sockets, timers, innerPort);
        Transparent transparent = new Transparent(innerPort, made, made::lookUp, made::serve, made::close);
        Optional<Transparent> before = transparency.getAndSet(Optional.of(transparent));
        before.ifPresent(Transparent::close); // of an attempt to start that is repeated
        return transparent;
    }

    /**
     * The part of a proxy that serves programs which know none.
     *
     * @param innerPort the port inside that leads to the handler
     * @param connects decides about connections
     * @param names answers about names
     * @param handler carries decided connections
     */
    public record Transparent(
            int innerPort,
            ConnectPolicy connects,
            Function<String, NameResponder.Answer> names,
            BridgeHandler handler,
            Runnable end)
            implements AutoCloseable {
        /**
         * Begins to answer about names. Takes the sockets of {@link dev.execserver.sandbox.network.InnerSockets} that are no doors.
         *
         * @param doors the number of the others, which stay in the list
         */
        public NameResponder serve(List<AsyncFd> inside, int doors) {
            if (inside.size() > doors + 1) {
                connects.inner().askBy(inside.removeLast(), innerPort);
            }
            return NameResponder.open(inside.removeLast(), names);
        }

        @Override
        public void close() {
            end.run();
        }
    }

    private void serveBridged(BridgedConnection connection, Service service) {
        ProxyConnection visit = new ProxyConnection(sockets.bridged(connection.socket()), timers);
        if (connections.awaitRoom() && connections.add(visit)) {
            serve(visit, service);
        }
    }

    /** Returns the last connection that was refused. */
    public Optional<Denial> lastDenial() {
        return parts.reports().lastRefusal().map(RefusalAdvice::denial);
    }

    /** Returns the settings that would allow what mode {@code observe} has let through; empty if there was nothing. */
    public Optional<ProxyChange> observed() {
        return parts.reports().observed();
    }

    /** The number of open connections. */
    int connections() {
        return connections.count();
    }

    public InetSocketAddress httpAddress() {
        return http.address();
    }

    Optional<InetSocketAddress> socksAddress() {
        return socks.map(ProxyListener::address);
    }

    private void admit(TcpConnection wire, Service service) {
        ProxyConnection visit = new ProxyConnection(wire, timers);
        if (connections.add(visit)) {
            Threads.virtual("proxy", () -> serve(visit, service));
        } else {
            LOG.warn("a connection to a network proxy is closed: the server has too many");
            visit.close();
        }
    }

    private void serve(ProxyConnection visit, Service service) {
        try (visit) {
            service.serve(visit);
        } catch (IOException e) {
            LOG.debug("a connection to a network proxy has ended: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.remove(visit);
        }
    }

    /**
     * Called when the process is gone: open connections have {@link #LINGER} left, then everything ends. Waits for
     * that.
     */
    public void finish() {
        try {
            connections.awaitNone(LINGER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        http.close();
        socks.ifPresent(ProxyListener::close);
        transparency.get().ifPresent(Transparent::close);
        connections.close();
    }
}
