package dev.execserver.server.transport.files;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * The end of a connection whose request was answered although its body is still to come. Closing at once would reset the
 * connection, and the peer might never read the answer (RFC 9112 section 9.6): so the peer is told the end, and what it has
 * on the way is read for a moment. Runs on the connection's thread. Stateless.
 */
public final class UnwantedBody {

    /** More of it resets the connection. */
    private static final int MAX_DRAINED_BYTES = 1 << 20;

    private static final Duration LINGER = Duration.ofSeconds(2);

    private UnwantedBody() {}

    /**
     * Called when the answer is out.
     *
     * @throws CloseConnectionException always
     */
    public static void leave(ServerRequest request, Patience patience) {
        patience.farewell(LINGER);
        // A client that waits for "100 Continue" sends no body.
        if (request.continueSent() || !request.headers().contains(HeaderNames.EXPECT)) {
            drain(request);
        }
        throw new CloseConnectionException("the body was refused");
    }

    private static void drain(ServerRequest request) {
        byte[] nowhere = new byte[8192];
        try (InputStream in = request.content().inputStream()) {
            int left = MAX_DRAINED_BYTES;
            for (int count = 0; count >= 0 && left > 0; left -= count) {
                count = in.read(nowhere);
            }
        } catch (IOException | UncheckedIOException e) {
            // gone, which is what was wanted
        }
    }
}
