package dev.execserver.server.transport.files;

import dev.execserver.protocol.rpc.RpcException;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The body of an upload, by its length or in chunks. One thread. */
final class RequestBody {

    private final ServerRequest request;
    private final Optional<ChunkedBody> chunks;
    private final InputStream stream;

    private RequestBody(ServerRequest request, Optional<ChunkedBody> chunks, InputStream stream) {
        this.request = request;
        this.chunks = chunks;
        this.stream = stream;
    }

    /** @throws FileRefusal 411 for a request that does not say where its body ends */
    static void check(ServerRequest request) {
        if (!chunked(request) && !request.headers().contains(HeaderNames.CONTENT_LENGTH)) {
            throw new FileRefusal(
                    Status.LENGTH_REQUIRED_411,
                    RpcException.invalidRequest(
                            "a PUT needs a Content-Length, 0 for an empty file, or a body in chunks"));
        }
    }

    /** Asks the peer for it, if it waits for that. */
    static RequestBody of(ServerRequest request) {
        if (!chunked(request)) {
            return new RequestBody(request, Optional.empty(), request.content().inputStream());
        }
        RawConnection connection = RawConnection.current();
        if (request.headers().contains(HeaderNames.EXPECT)) {
            connection.sendContinue();
        }
        ChunkedBody body = new ChunkedBody(connection.reader());
        return new RequestBody(request, Optional.of(body), body);
    }

    private static boolean chunked(ServerRequest request) {
        return request.headers().contains(HeaderNames.TRANSFER_ENCODING);
    }

    /** Not to be closed: that would read what is left of it. */
    InputStream stream() {
        return stream;
    }

    /** At the end of the stream: whether Helidon can find the next request behind it. */
    boolean endIsKnown() throws IOException {
        return chunks.isEmpty()
                || (chunks.get().endLeft()
                        && !RawConnection.current().continueSent()
                        && request.content().inputStream().read() < 0);
    }
}
