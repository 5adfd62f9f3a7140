package dev.execserver.server.transport.files;

import io.helidon.common.buffers.DataReader;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * Ends a connection whose request was answered before its body had come. Closing at once would reset the connection,
 * and the peer might never read the answer (RFC 9112 section 9.6). So it ends the output first, and then reads and
 * discards input for a moment. Runs on the connection's thread. Stateless.
 */
public final class EarlyClose {

    /** Bytes that are discarded; a longer body resets the connection. */
    private static final int MAX_DRAINED_BYTES = 1 << 20;

    private static final Duration LINGER = Duration.ofSeconds(2);

    private EarlyClose() {}

    /**
     * Ends the connection. Call it when the answer was sent.
     *
     * @throws CloseConnectionException always
     */
    public static void leave(ServerRequest request, TransferTimeouts patience) {
        patience.farewell(LINGER);
        RawConnection connection = RawConnection.current();
        // A client that waits for "100 Continue" sends no body.
        if (request.continueSent()
                || connection.continueSent()
                || !request.headers().contains(HeaderNames.EXPECT)) {
            drain(connection.reader());
        }
        throw new CloseConnectionException("the body was refused");
    }

    /** Does the same as {@link #leave(ServerRequest, TransferTimeouts)} for a connection from which nothing was read. */
    public static void leave(DataReader reader, TransferTimeouts patience) {
        patience.farewell(LINGER);
        drain(reader);
        throw new CloseConnectionException("the connection was refused");
    }

    private static void drain(DataReader reader) {
        try {
            for (int left = MAX_DRAINED_BYTES; left > 0; ) {
                reader.ensureAvailable();
                int count = reader.available();
                reader.skip(count);
                left -= count;
            }
        } catch (UncheckedIOException | DataReader.InsufficientDataAvailableException e) {
            // the peer is gone, as wanted
        }
    }
}
