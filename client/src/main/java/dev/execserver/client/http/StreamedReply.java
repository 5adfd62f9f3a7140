package dev.execserver.client.http;

import dev.execserver.protocol.net.HttpHeader;
import java.io.InputStream;
import java.util.List;

/**
 * The header of a response whose body is on its way. To be closed, which ends a body that was not read to its end.
 *
 * @param headers names in lower case
 * @param body fails with an {@link java.io.IOException} when the transfer breaks, the connection is lost or too much waits
 *     to be read
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
