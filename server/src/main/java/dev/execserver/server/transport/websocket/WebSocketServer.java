package dev.execserver.server.transport.websocket;

import dev.execserver.server.transport.ConnectionHandler;
import dev.execserver.server.transport.files.RawConnection;
import dev.execserver.server.transport.grpc.GrpcConnections;
import dev.execserver.server.transport.grpc.GrpcServer;
import dev.execserver.server.transport.sandboxd.RuntimeInterface;
import io.helidon.common.tls.Tls;
import io.helidon.webserver.ErrorHandling;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.http1.Http1ConnectionSelectorConfig;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for WebSocket peers and health checks on one address. Helidon accepts connections, runs one virtual thread
 * for each and speaks HTTP. After the upgrade this package serves the connection.
 *
 * <p>Threads: the thread that runs the server calls {@link #start} and {@link #close}; one daemon platform thread is
 * the timer of all connections and watches the listener. No locks.
 */
public final class WebSocketServer implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int MAX_HEADER_BYTES = 16 * 1024;
    /** Each reader of a body has its own limit. */
    private static final long NO_LIMIT = -1;

    /**
     * Spellings of the Upgrade header that clients send. Helidon compares it exactly, RFC 6455 section 4.2.1 does not.
     */
    private static final List<String> SPELLINGS = List.of("websocket", "WebSocket", "Websocket", "WEBSOCKET");

    private static final Logger LOG = LoggerFactory.getLogger(WebSocketServer.class);

    private final PendingConnections doorman;
    private final Connections connections;
    private final RefusalLog refusals;
    private final WebSocketOptions options;
    private final ListenerWatch watch;
    private final Ticker ticker;
    private final HttpListener listener;

    private volatile boolean closing;

    private WebSocketServer(ListenPlace wanted, WebSocketOptions options, ConnectionHandler handler)
            throws ListenException {
        this.options = options;
        this.refusals = new RefusalLog(options.accessLog());
        this.doorman = new PendingConnections(options.room(), options.times().request());
        this.connections = new Connections(doorman, options, handler);
        this.listener = HttpListener.start(wanted, this::build);
        this.watch = new ListenerWatch(listener.place());
        this.ticker = Ticker.start(options.times(), this::tick);
    }

    /**
     * Binds and serves.
     *
     * @param host literal address
     * @param port 0 for any free one
     * @throws ListenException when the address cannot be bound
     */
    public static WebSocketServer start(String host, int port, WebSocketOptions options, ConnectionHandler handler)
            throws ListenException {
        return start(InternetPlace.of(host, port), options, handler);
    }

    /**
     * Binds the file of a Unix socket and serves.
     *
     * @param mode permissions of the file
     * @param group group of the file; empty for that of this process
     * @throws ListenException when the file cannot be made or another process listens there
     */
    public static WebSocketServer startUnix(
            Path path,
            Set<PosixFilePermission> mode,
            Optional<String> group,
            WebSocketOptions options,
            ConnectionHandler handler)
            throws ListenException {
        return start(new UnixPlace(path, mode, group), options, handler);
    }

    /**
     * Serves on a socket that listens already.
     *
     * @param address URL of clients without TLS
     * @param unix true for a Unix socket
     */
    public static WebSocketServer startPassed(
            int descriptor, String address, boolean unix, WebSocketOptions options, ConnectionHandler handler)
            throws ListenException {
        return start(new PassedPlace(descriptor, address, unix), options, handler);
    }

    private static WebSocketServer start(ListenPlace place, WebSocketOptions options, ConnectionHandler handler)
            throws ListenException {
        place.prepare();
        return new WebSocketServer(place, options, handler);
    }

    /** Returns the URL for clients: {@code ws://127.0.0.1:4711}, with the base path if there is one, or {@code unix:PATH}. */
    public String url() {
        return listener.place().url(options.access().tls().isPresent())
                + options.http().place().base().prefix();
    }

    /** Returns the port, or 0 for a Unix socket. */
    public int port() {
        return listener.place() instanceof InternetPlace(InetSocketAddress address) ? address.getPort() : 0;
    }

    /** Returns the number of open WebSocket connections. */
    public int connections() {
        return connections.size();
    }

    /** Accepts no more peers: upgrades are answered with 503. Health checks go on. */
    public void stopAccepting() {
        connections.refuseNew();
    }

    /** Closes every connection with 1001, waits for the peers up to the close timeout, and stops listening. */
    @Override
    public void close() {
        closing = true;
        connections.closeAll();
        ticker.await(connections::isEmpty, options.times().close().plusMillis(500));
        connections.abortAll();
        listener.stop();
        ticker.close();
        refusals.close();
    }

    private void tick(long now) {
        doorman.tick(now);
        connections.tick(now);
        refusals.tick(now);
        if (!closing && watch.deserted(now)) {
            LOG.error(
                    "nobody listens on {} any more (was the machine out of descriptors or memory?); listening again",
                    url());
            boolean _ = listener.replace(); // if it fails, the next check tries again
        }
    }

    private WebServer build(ListenPlace place) {
        HttpEndpoints endpoints = new HttpEndpoints(doorman, options, refusals);
        WebServerConfig.Builder builder = WebServer.builder()
                .backlog(BACKLOG)
                .shutdownHook(false)
                .shutdownGracePeriod(Duration.ofMillis(200))
                .protocolsDiscoverServices(false)
                .useNio(false)
                .maxPayloadSize(NO_LIMIT)
                .connectionOptions(doorman)
                .errorHandling(ErrorHandling.builder()
                        .includeEntity(true)
                        .logAllMessages(true)
                        .build())
                .directHandlers(HttpRefusal.handlers(refusals))
                .addConnectionSelector(new PeerGate(
                        RawConnection.known(http()), options.access().peers(), doorman, refusals, endpoints::patience))
                .routing(routing -> routing.any(endpoints));
        options.http().runtime().ifPresent(runtime -> builder.addConnectionSelector(calls(runtime, endpoints)));
        place.addTo(builder);
        options.access()
                .tls()
                .ifPresent(
                        context -> builder.tls(Tls.builder().sslContext(context).build()));
        return builder.build();
    }

    private ServerConnectionSelector calls(RuntimeInterface runtime, HttpEndpoints endpoints) {
        GrpcServer server = new GrpcServer(
                runtime.processes().methods(),
                new CallGate(options.access(), doorman, refusals),
                runtime.timers(),
                options.room().received());
        return new PeerGate(
                new GrpcConnections(server, MAX_HEADER_BYTES),
                options.access().peers(),
                doorman,
                refusals,
                endpoints::patience);
    }

    private Http1ConnectionSelector http() {
        Http1ConnectionSelectorConfig.Builder builder = Http1ConnectionSelector.builder()
                .config(Http1Config.builder()
                        .maxHeadersSize(MAX_HEADER_BYTES)
                        .maxPrologueLength(RawConnection.MAX_REQUEST_LINE)
                        .validateRequestHostHeader(false) // HostHeader checks it
                        .build());
        for (String spelling : SPELLINGS) {
            builder.addUpgrader(new WebSocketUpgrader(spelling, options, connections));
        }
        return builder.build();
    }
}
