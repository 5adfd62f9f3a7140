package dev.execserver.server.transport.files;

import dev.execserver.server.transport.origin.ClientAddress;
import io.helidon.common.buffers.DataReader;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import java.util.Optional;

/**
 * Reader from which Helidon takes requests. It skips empty lines before a request (RFC 9112 section 2.2) and converts
 * the first line to the form that Helidon (4.5.0) understands, or refuses it. All other bytes pass unchanged. Used by the thread that
 * serves the connection.
 *
 * <p>It relies on the calls of Helidon: the first line is read with {@link #findNewLine}, then {@link #readBytes}, and
 * nothing else uses the limit {@link #MAX_LINE} between {@link #nextRequest} and the header fields.
 */
final class RequestReader extends DataReader {
    /** Longest first line, in bytes. */
    static final int MAX_LINE = 8191;

    /** Limit of empty lines. A peer that sends nothing else is no client. */
    private static final int EMPTY_LINES = 8;

    private static final int LINE_END = 2;
    private static final String MALFORMED = "malformed HTTP request";
    private static final String FRAGMENT = "; a `#` in a path must be sent as %23";

    private boolean expected = true;
    private byte[] pending;
    private RequestLine line = RequestLine.NONE;
    private Optional<ClientAddress> client = Optional.empty();

    RequestReader(DataReader source) {
        super(() -> {
            source.ensureAvailable();
            return source.readBytes(source.available());
        });
    }

    /** Notes that the request was taken: the data after its body begins with the first line of another request. */
    void nextRequest() {
        expected = true;
    }

    /** Returns the first line of the request that was read last. */
    RequestLine line() {
        return line;
    }

    void clientIs(ClientAddress known) {
        client = Optional.of(known);
    }

    Optional<ClientAddress> client() {
        return client;
    }

    @Override
    public int findNewLine(int max) throws IncorrectNewLineException {
        if (!expected || max != MAX_LINE) {
            return super.findNewLine(max);
        }
        expected = false;
        line = RequestLine.NONE;
        client = Optional.empty();
        for (int i = 0; i < EMPTY_LINES && startsWithNewLine(); i++) {
            skip(LINE_END);
        }
        int end = super.findNewLine(max);
        if (end == max) {
            return end;
        }
        line = RequestLine.of(super.readBytes(end));
        if (line.malformed()) {
            throw RequestException.builder()
                    .type(EventType.BAD_REQUEST)
                    .status(Status.BAD_REQUEST_400)
                    .setKeepAlive(false)
                    .message(line.text().indexOf('#') < 0 ? MALFORMED : MALFORMED + FRAGMENT)
                    .build();
        }
        pending = line.bytes();
        return pending.length;
    }

    @Override
    public byte[] readBytes(int length) {
        if (pending == null) {
            return super.readBytes(length);
        }
        byte[] taken = pending;
        pending = null;
        return taken;
    }
}
