package dev.execserver.server.transport.files;

import dev.execserver.server.transport.origin.ClientAddress;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Raw bytes of the connection that the current thread serves. Helidon (4.5.0) reads each chunk of a body as a whole,
 * and the line before it too, however long they are, so that a peer could fill the heap. Code that reads a body here
 * has to close the connection afterwards, because Helidon does not know the end of the body. One thread.
 */
public final class RawConnection {

    /** Longest first line of a request. */
    public static final int MAX_REQUEST_LINE = RequestReader.MAX_LINE;

    private static final ScopedValue<RawConnection> CURRENT = ScopedValue.newInstance();
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final ContextWithReader context;
    private boolean continueSent;

    private RawConnection(ContextWithReader context) {
        this.context = context;
    }

    /** Returns the connection that the current thread serves. */
    public static RawConnection current() {
        return CURRENT.get();
    }

    DataReader reader() {
        return context.dataReader();
    }

    /**
     * Waits until the peer sends more, or has sent more than was read.
     *
     * @throws DataReader.InsufficientDataAvailableException when the connection has ended
     * @throws java.io.UncheckedIOException when it has failed
     */
    public void awaitMore() {
        reader().ensureAvailable();
    }

    /** Reads and drops what has come, at least one byte. Waits and fails as {@link #awaitMore}. */
    public void skipSome() {
        awaitMore();
        reader().skip(reader().available());
    }

    /** Notes that a request has begun. Call it once for each request, before its body is read. */
    public void requestTaken() {
        context.reader().nextRequest();
    }

    /** Returns the host in the target of the current request, which replaces its Host header. */
    public Optional<String> authority() {
        return context.reader().line().authority();
    }

    /** Returns true if the current request is HTTP/1.0, so that the connection must be closed after the answer. */
    public boolean old() {
        return context.reader().line().old();
    }

    /** Returns the first line of the current request, as far as it was read. */
    public String requestLine() {
        return context.reader().line().text();
    }

    /** Returns the address of the peer. */
    public SocketAddress peer() {
        return context.remotePeer().address();
    }

    /** Keeps the address of the client of the current request. */
    public void clientIs(ClientAddress client) {
        context.reader().clientIs(client);
    }

    /** Returns the address of the client of the current request; empty until its header was read. */
    public Optional<ClientAddress> client() {
        return context.reader().client();
    }

    /** Tells the peer to send its body, see RFC 9110 section 10.1.1. */
    void sendContinue() {
        continueSent = true;
        context.dataWriter().writeNow(BufferData.create(CONTINUE));
    }

    boolean continueSent() {
        return continueSent;
    }

    /** Wraps a protocol so that the threads that serve its connections can find them with {@link #current}. */
    public static ServerConnectionSelector known(ServerConnectionSelector protocol) {
        return new ServerConnectionSelector() {
            @Override
            public int bytesToIdentifyConnection() {
                return protocol.bytesToIdentifyConnection();
            }

            @Override
            public Support supports(BufferData data) {
                Support support = protocol.supports(data.copy());
                return support == Support.UNSUPPORTED && readable(data) ? Support.SUPPORTED : support;
            }

            @Override
            public Set<String> supportedApplicationProtocols() {
                return protocol.supportedApplicationProtocols();
            }

            @Override
            public ServerConnection connection(ConnectionContext context) {
                ContextWithReader known = new ContextWithReader(context, new RequestReader(context.dataReader()));
                return new Known(protocol.connection(known), new RawConnection(known));
            }
        };
    }

    /** Returns true for data that {@link RequestReader} makes readable: an empty line, and HTTP/1.0. */
    private static boolean readable(BufferData data) {
        int end = data.indexOf((byte) '\n');
        return end == 1 || (end > 1 && data.readString(end).endsWith(" HTTP/1.0\r"));
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
