package dev.execserver.server.transport.grpc;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.PeerInfo;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http2.Http2Config;
import io.helidon.webserver.http2.Http2ConnectionSelector;
import io.helidon.webserver.http2.spi.Http2SubProtocolSelector;
import io.helidon.webserver.http2.spi.SubProtocolResult;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Accepts HTTP/2 connections for calls. When a connection ends, so do its calls: Helidon (4.5.0) does not tell its streams. Requests that
 * are no calls are left to the routing. Any thread.
 */
public final class GrpcConnections implements ServerConnectionSelector {

    /** Limit of calls that run at once on a connection. */
    static final int MAX_CALLS = 256;

    /** Helidon gives a client this time to make room; ours has all the time that its connection lives. */
    private static final Duration NO_LIMIT = Duration.ofDays(3650);

    private static final String CONTENT_TYPE = "application/grpc";

    private final GrpcServer server;
    private final Http2Config config;
    private final Http2ConnectionSelector protocol;

    public GrpcConnections(GrpcServer server, int maxHeaderBytes) {
        this.server = server;
        this.config = Http2Config.builder()
                .maxConcurrentStreams(MAX_CALLS)
                .maxHeaderListSize(maxHeaderBytes)
                .flowControlTimeout(NO_LIMIT)
                .maxRapidResets(4 * MAX_CALLS)
                .build();
        this.protocol = Http2ConnectionSelector.builder().http2Config(config).build();
    }

    @Override
    public int bytesToIdentifyConnection() {
        return protocol.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return protocol.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return protocol.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        Calls calls = new Calls(server, context.remotePeer());
        ServerConnection connection = Http2ConnectionSelector.builder()
                .http2Config(config)
                .addSubProtocolSelector(calls.selector())
                .build()
                .connection(context);
        return new Ending(connection, calls);
    }

    /** The calls of one connection. */
    private static final class Calls {
        private final Set<GrpcCall> open = ConcurrentHashMap.newKeySet();
        private final Lock windows = new ReentrantLock();
        private final GrpcServer server;
        private final PeerInfo peer;
        private volatile boolean lost;

        Calls(GrpcServer server, PeerInfo peer) {
            this.server = server;
            this.peer = peer;
        }

        Http2SubProtocolSelector selector() {
            return (_, _, headers, writer, streamId, _, _, flow, state, _) -> {
                if (!isCall(headers.httpHeaders())) {
                    return Http2SubProtocolSelector.NOT_SUPPORTED;
                }
                GrpcCall[] made = new GrpcCall[1];
                made[0] = new GrpcCall(
                        server,
                        peer,
                        headers,
                        state,
                        over -> new StreamOutput(writer, streamId, flow.outbound(), windows, over),
                        () -> open.remove(made[0]));
                open.add(made[0]);
                if (lost) {
                    made[0].connectionLost();
                }
                return new SubProtocolResult(true, made[0]);
            };
        }

        private static boolean isCall(Headers headers) {
            return headers.contains(HeaderNames.CONTENT_TYPE)
                    && headers.get(HeaderNames.CONTENT_TYPE).get().startsWith(CONTENT_TYPE);
        }

        void lost() {
            lost = true;
            List.copyOf(open).forEach(GrpcCall::connectionLost);
        }
    }

    private record Ending(ServerConnection connection, Calls calls) implements ServerConnection {
        @Override
        public void handle(Limit limit) throws InterruptedException {
            try {
                connection.handle(limit);
            } finally {
                calls.lost();
            }
        }

        @Override
        public Duration idleTime() {
            return connection.idleTime();
        }

        @Override
        public void close(boolean interrupt) {
            connection.close(interrupt);
        }
    }
}
