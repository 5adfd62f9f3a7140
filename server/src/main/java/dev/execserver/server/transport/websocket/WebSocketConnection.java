package dev.execserver.server.transport.websocket;

import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.ConnectionHandler;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.spi.ServerConnection;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Upgraded connection as Helidon sees it.
 *
 * <p>Threads: {@link #handle} runs on the connection's virtual thread, which becomes its reader; {@link #close} on the
 * thread that stops the server.
 */
final class WebSocketConnection implements ServerConnection {
    private static final Logger LOG = LoggerFactory.getLogger(WebSocketConnection.class);

    private final WebSocketTransport transport;
    private final ConnectionHandler handler;
    private final Consumer<WebSocketConnection> ended;

    WebSocketConnection(WebSocketTransport transport, ConnectionHandler handler, Consumer<WebSocketConnection> ended) {
        this.transport = transport;
        this.handler = handler;
        this.ended = ended;
    }

    WebSocketTransport transport() {
        return transport;
    }

    @Override
    public void handle(Limit limit) {
        try {
            transport.finish(serve());
        } finally {
            ended.accept(this);
        }
    }

    private CloseReason serve() {
        try {
            handler.serve(transport);
            return CloseReason.NORMAL;
        } catch (RuntimeException e) {
            LOG.error("{}: connection handler failed", transport.describe(), e);
            return CloseReason.INTERNAL_ERROR;
        }
    }

    /** Returns zero, because this server keeps connections alive itself: Helidon would only count inbound requests. */
    @Override
    public Duration idleTime() {
        return Duration.ZERO;
    }

    @Override
    public void close(boolean interrupt) {
        if (interrupt) {
            transport.abort();
        } else {
            transport.close(CloseReason.GOING_AWAY);
        }
    }
}
