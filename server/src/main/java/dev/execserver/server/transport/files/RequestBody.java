package dev.execserver.server.transport.files;

import dev.execserver.protocol.rpc.RpcException;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Body of an upload, with a length or in chunks. One thread. */
final class RequestBody {

    private final ServerRequest request;
    private final Optional<ChunkedBody> chunks;
    private final InputStream stream;

    private RequestBody(ServerRequest request, Optional<ChunkedBody> chunks, InputStream stream) {
        this.request = request;
        this.chunks = chunks;
        this.stream = stream;
    }

    /** @throws FileRefusal 411 for a request that does not tell where its body ends */
    static void check(ServerRequest request) {
        if (!chunked(request) && !request.headers().contains(HeaderNames.CONTENT_LENGTH)) {
            throw new FileRefusal(
                    Status.LENGTH_REQUIRED_411,
                    RpcException.invalidRequest(
                            "a PUT needs a Content-Length, 0 for an empty file, or a body in chunks"));
        }
    }

    /** Opens the body, and asks the peer to send it if the peer waits for that. */
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

    /** Returns the stream. Do not close it: that would read the rest of the body. */
    InputStream stream() {
        return stream;
    }

    /** Returns true if Helidon can find the next request after this body. Call it at the end of the stream. */
    boolean endIsKnown() throws IOException {
        return chunks.isEmpty()
                || (chunks.get().endLeft()
                        && !RawConnection.current().continueSent()
                        && request.content().inputStream().read() < 0);
    }
}
