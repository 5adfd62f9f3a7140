package dev.execserver.server.transport.files;

import dev.execserver.protocol.rpc.RpcException;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Body of a request, with a length or in chunks. One thread. */
public final class RequestBody {

    private final ServerRequest request;
    private final RawConnection connection;
    private final Optional<ChunkedBody> chunks;
    private final InputStream stream;

    private RequestBody(
            ServerRequest request, RawConnection connection, Optional<ChunkedBody> chunks, InputStream stream) {
        this.request = request;
        this.connection = connection;
        this.chunks = chunks;
        this.stream = stream;
    }

    /** @throws FileRefusal 411 with this text for a request that does not tell where its body ends */
    public static void check(ServerRequest request, String why) {
        if (!chunked(request) && !request.headers().contains(HeaderNames.CONTENT_LENGTH)) {
            throw new FileRefusal(Status.LENGTH_REQUIRED_411, RpcException.invalidRequest(why));
        }
    }

    /**
     * Opens the body, and asks the peer to send it if the peer waits for that. Call it on the connection's thread; one
     * other thread may read then.
     */
    public static RequestBody of(ServerRequest request) {
        RawConnection connection = RawConnection.current();
        if (!chunked(request)) {
            return new RequestBody(
                    request, connection, Optional.empty(), request.content().inputStream());
        }
        if (request.headers().contains(HeaderNames.EXPECT)) {
            connection.sendContinue();
        }
        ChunkedBody body = new ChunkedBody(connection.reader());
        return new RequestBody(request, connection, Optional.of(body), body);
    }

    private static boolean chunked(ServerRequest request) {
        return request.headers().contains(HeaderNames.TRANSFER_ENCODING);
    }

    /** Returns the stream. Do not close it: that would read the rest of the body. */
    public InputStream stream() {
        return stream;
    }

    /** Returns true if Helidon can find the next request after this body. Call it at the end of the stream. */
    public boolean endIsKnown() throws IOException {
        return chunks.isEmpty()
                || (chunks.get().endLeft()
                        && !connection.continueSent()
                        && request.content().inputStream().read() < 0);
    }
}
