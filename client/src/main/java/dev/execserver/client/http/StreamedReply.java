package dev.execserver.client.http;

import dev.execserver.protocol.net.HttpHeader;
import java.io.InputStream;
import java.util.List;

/**
 * Header of a response whose body is still coming. Close it, which ends an unread body.
 *
 * @param headers names in lower case
 * @param body fails with an {@link java.io.IOException} if the transfer breaks, the connection is lost or too many
 *     bytes wait to be read
 */
public record StreamedReply(int status, List<HttpHeader> headers, InputStream body) implements AutoCloseable {

    @Override
    public void close() {
        try {
            body.close();
        } catch (java.io.IOException e) {
            throw new IllegalStateException("closing a stream in memory", e);
        }
    }
}
