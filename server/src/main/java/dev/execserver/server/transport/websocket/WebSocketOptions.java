package dev.execserver.server.transport.websocket;

import dev.execserver.server.access.AccessLog;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.transport.PeerCheck;
import dev.execserver.server.transport.Transport;
import dev.execserver.server.transport.auth.Authenticator;
import dev.execserver.server.transport.auth.HostNames;
import dev.execserver.server.transport.auth.LocalUser;
import dev.execserver.server.transport.console.ConsoleEndpoint;
import dev.execserver.server.transport.exec.ExecEndpoint;
import dev.execserver.server.transport.files.FileEndpoint;
import dev.execserver.server.transport.management.PageEndpoint;
import dev.execserver.server.transport.mcp.McpEndpoint;
import dev.execserver.server.transport.origin.BasePath;
import dev.execserver.server.transport.origin.Forwarding;
import dev.execserver.server.transport.sandboxd.RuntimeInterface;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;

/**
 * Settings of a listener.
 *
 * @param access access checks
 * @param times timeouts
 * @param room limits
 * @param http endpoints besides WebSocket upgrades
 * @param accessLog gets the refusals
 */
public record WebSocketOptions(Access access, Times times, Room room, Http http, AccessLog accessLog) {

    /**
     * Host name that is always allowed for upgrades: it never leads to another machine, and clients on this machine use
     * it.
     */
    public static final String LOCALHOST = "localhost";

    /**
     * Access checks.
     *
     * @param authenticator decides which clients may upgrade
     * @param refuseOrigin answer 403 to every request with an Origin header, so that no web page can reach the server
     * @param tls certificate and key; plain {@code ws} if empty
     * @param hosts names that the Host header of an upgrade may have
     * @param peers decides about each connection before anything is read from it
     */
    public record Access(
            Authenticator authenticator,
            boolean refuseOrigin,
            Optional<SSLContext> tls,
            HostNames hosts,
            PeerCheck peers) {

        /** Accepts literal addresses and {@code localhost} as Host header, and does not check peers. */
        public Access(Authenticator authenticator, boolean refuseOrigin, Optional<SSLContext> tls) {
            this(authenticator, refuseOrigin, tls, HostNames.of(List.of(LOCALHOST)));
        }

        /** Does not check peers. */
        public Access(Authenticator authenticator, boolean refuseOrigin, Optional<SSLContext> tls, HostNames hosts) {
            this(authenticator, refuseOrigin, tls, hosts, PeerCheck.NONE);
        }

        /** Returns the access to a Unix socket: the user counts instead of a token, and nothing needs to be encrypted. */
        public Access ofLocalUsers() {
            return new Access(new LocalUser(), refuseOrigin, Optional.empty(), hosts, peers);
        }

        public Access withPeers(PeerCheck value) {
            return new Access(authenticator, refuseOrigin, tls, hosts, value);
        }
    }

    /**
     * Timeouts; all positive.
     *
     * @param pingEvery pause between our pings, also before the first one
     * @param deadAfter a peer that sends no byte for this time is dropped
     * @param request time within which a connection must send its next whole HTTP request, TLS handshake included
     * @param close time within which the peer must answer our close frame
     */
    public record Times(Duration pingEvery, Duration deadAfter, Duration request, Duration close) {
        public Times {
            positive("pingEvery", pingEvery);
            positive("deadAfter", deadAfter);
            positive("request", request);
            positive("close", close);
        }

        public Times withKeepAlive(Duration every, Duration dead) {
            return new Times(every, dead, request, close);
        }

        public Times withRequest(Duration value) {
            return new Times(pingEvery, deadAfter, value, close);
        }

        public Times withClose(Duration value) {
            return new Times(pingEvery, deadAfter, request, value);
        }

        private static void positive(String name, Duration value) {
            if (!value.isPositive()) {
                throw new IllegalArgumentException(name + " must be positive: " + value);
            }
        }
    }

    /**
     * Limits.
     *
     * @param maxConnections upgrades above are answered with 503; at least 1
     * @param received share for the unfinished messages of all connections
     * @param descriptors tells if a descriptor is left for a new connection
     * @param upgraded number of upgraded connections of all listeners that share this room
     */
    public record Room(
            int maxConnections, MemoryBudget received, DescriptorBudget descriptors, AtomicInteger upgraded) {
        public Room(int maxConnections, MemoryBudget received, DescriptorBudget descriptors) {
            this(maxConnections, received, descriptors, new AtomicInteger());
        }

        public Room {
            if (maxConnections < 1) {
                throw new IllegalArgumentException("maxConnections must be at least 1: " + maxConnections);
            }
        }
    }

    /**
     * Endpoints besides upgrades.
     *
     * @param files serves {@code /files}; if empty, that path is unknown
     * @param mcp serves {@code /mcp}; if empty, that path is unknown
     * @param commands serves {@code /v1/exec}; if empty, that path is unknown
     * @param ready state that {@code /readyz} reports
     * @param place where clients find the endpoints
     * @param pages of the operator
     * @param console serves {@code /console}; if empty, that path is unknown
     * @param runtime the interface of sandboxes in Kubernetes; if empty, this address does not have it
     */
    public record Http(
            Optional<FileEndpoint> files,
            Optional<McpEndpoint> mcp,
            Optional<ExecEndpoint> commands,
            BooleanSupplier ready,
            Place place,
            Optional<PageEndpoint> pages,
            Optional<ConsoleEndpoint> console,
            Optional<RuntimeInterface> runtime) {
        /** Makes endpoints without MCP and commands, and without a proxy. */
        public Http(Optional<FileEndpoint> files, BooleanSupplier ready) {
            this(
                    files,
                    Optional.empty(),
                    Optional.empty(),
                    ready,
                    Place.DIRECT,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }

        public Http with(Place value) {
            return new Http(files, mcp, commands, ready, value, pages, console, runtime);
        }
    }

    /**
     * Place of this server behind proxies.
     *
     * @param base path below which it answers
     * @param forwarding finds the client of a request
     */
    public record Place(BasePath base, Forwarding forwarding) {
        public static final Place DIRECT = new Place(BasePath.ROOT, Forwarding.NONE);
    }

    public static final WebSocketOptions DEFAULT = new WebSocketOptions(
            new Access(Authenticator.NONE, true, Optional.empty()),
            new Times(Duration.ofSeconds(30), Duration.ofSeconds(90), Duration.ofSeconds(30), Duration.ofSeconds(2)),
            new Room(
                    4096,
                    new MemoryBudget(4L * Transport.MAX_MESSAGE_BYTES, Duration.ofSeconds(10)),
                    DescriptorBudget.ofThisProcess()),
            new Http(Optional.empty(), () -> true),
            AccessLog.OFF);

    public WebSocketOptions with(Access value) {
        return new WebSocketOptions(value, times, room, http, accessLog);
    }

    public WebSocketOptions with(Times value) {
        return new WebSocketOptions(access, value, room, http, accessLog);
    }

    public WebSocketOptions with(Room value) {
        return new WebSocketOptions(access, times, value, http, accessLog);
    }

    public WebSocketOptions with(Http value) {
        return new WebSocketOptions(access, times, room, value, accessLog);
    }
}
