package dev.execserver.server.proxy.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;

/**
 * The head of a response from the upstream host.
 *
 * @param line the status line as received
 */
public record ResponseHead(String line, int status, boolean http10, HttpFields fields) {

    /** @throws UpstreamException if there is no head or it is invalid */
    public static ResponseHead read(PeerInput in, int maxBytes) throws IOException {
        try {
            String line = in.line(maxBytes);
            if (!line.matches("HTTP/1\\.[01] [1-9][0-9]{2}( [\\x20-\\x7e\\t\\x80-\\xff]*)?")) {
                throw new UpstreamException("the host answers something that is not HTTP/1.x");
            }
            HttpFields fields = HttpFields.read(in, maxBytes - line.length() - 2);
            int status = Integer.parseInt(line.substring(9, 12));
            return new ResponseHead(line, status, line.startsWith("HTTP/1.0"), fields);
        } catch (BadRequestException e) {
            throw new UpstreamException("the host answers with " + e.getMessage(), e);
        } catch (EOFException | SocketException e) {
            throw new UpstreamException("the host has ended the connection without an answer", e);
        }
    }

    /** Returns true for an interim response (1xx), which the final one follows. */
    public boolean interim() {
        return status < 200 && status != 101;
    }
}
