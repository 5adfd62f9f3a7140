package dev.execserver.server.transport.files;

import io.helidon.common.buffers.DataReader;

/**
 * What Helidon reads requests from. It skips empty lines before a request (RFC 9112 section 2.2) and gives the first line
 * in the form that Helidon (4.5.0) understands; everything else passes as it comes. The thread that serves the connection.
 *
 * <p>Helidon asks for the first line with {@link #findNewLine}, then {@link #readBytes}, and for nothing else with the limit
 * {@link #MAX_LINE} between {@link #nextRequest} and the header fields.
 */
final class RequestReader extends DataReader {
    /** Longest first line. */
    static final int MAX_LINE = 8191;

    /** A peer that sends nothing but empty lines is no client. */
    private static final int EMPTY_LINES = 8;

    private static final int LINE_END = 2;

    private boolean expected = true;
    private byte[] pending;
    private RequestLine line = RequestLine.NONE;

    RequestReader(DataReader source) {
        super(() -> {
            source.ensureAvailable();
            return source.readBytes(source.available());
        });
    }

    /** The request was taken: what comes after its body is the first line of another one. */
    void nextRequest() {
        expected = true;
    }

    /** Of the request that was read last. */
    RequestLine line() {
        return line;
    }

    @Override
    public int findNewLine(int max) throws IncorrectNewLineException {
        if (!expected || max != MAX_LINE) {
            return super.findNewLine(max);
        }
        expected = false;
        line = RequestLine.NONE;
        for (int i = 0; i < EMPTY_LINES && startsWithNewLine(); i++) {
            skip(LINE_END);
        }
        int end = super.findNewLine(max);
        if (end == max) {
            return end;
        }
        line = RequestLine.of(super.readBytes(end));
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
