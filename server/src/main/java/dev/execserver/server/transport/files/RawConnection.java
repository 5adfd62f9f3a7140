package dev.execserver.server.transport.files;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;

/**
 * The bytes of the connection that the current thread serves. Helidon (4.5.0) reads every chunk of a body as a whole, and the
 * line before it too, however long they are: a peer could fill the heap with one. Who reads bodies here instead has to close
 * the connection afterwards, because Helidon does not know where they end. One thread.
 */
public final class RawConnection {

    private static final ScopedValue<RawConnection> CURRENT = ScopedValue.newInstance();
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final ConnectionContext context;
    private boolean continueSent;

    private RawConnection(ConnectionContext context) {
        this.context = context;
    }

    static RawConnection current() {
        return CURRENT.get();
    }

    DataReader reader() {
        return context.dataReader();
    }

    /** Tells the peer to send its body, see RFC 9110 section 10.1.1. */
    void sendContinue() {
        continueSent = true;
        context.dataWriter().writeNow(BufferData.create(CONTINUE));
    }

    boolean continueSent() {
        return continueSent;
    }

    /** The same protocol, which makes its connections known to the threads that serve them. */
    public static ServerConnectionSelector known(ServerConnectionSelector protocol) {
        return new ServerConnectionSelector() {
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
                return new Known(protocol.connection(context), new RawConnection(context));
            }
        };
    }

    private record Known(ServerConnection connection, RawConnection raw)
            implements ServerConnection, InterruptableTask<Void> {
        @Override
        public void handle(Limit limit) throws InterruptedException {
            ScopedValue.where(CURRENT, raw).<Void, InterruptedException>call(() -> {
                connection.handle(limit);
                return null;
            });
        }

        @Override
        public Duration idleTime() {
            return connection.idleTime();
        }

        @Override
        public void close(boolean interrupt) {
            connection.close(interrupt);
        }

        @Override
        public boolean canInterrupt() {
            return connection instanceof InterruptableTask<?> task && task.canInterrupt();
        }

        @Override
        public Void call() {
            throw new UnsupportedOperationException("connections are handled, not called");
        }
    }
}
