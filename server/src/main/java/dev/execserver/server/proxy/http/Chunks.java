package dev.execserver.server.proxy.http;

import java.io.IOException;

/** Copies a chunked body (RFC 9112, section 7.1) chunk by chunk, with new framing. Stateless. */
final class Chunks {

    /** Longest size line in characters. Extensions are refused, so it needs no more. */
    private static final int MAX_LINE = 16;

    private static final int MAX_TRAILER_BYTES = 16 * 1024;

    private Chunks() {}

    /**
     * Copies up to the last chunk. Reads trailers and drops them, as RFC 9110 section 6.5.1 allows.
     *
     * @throws BadRequestException for extensions and for an invalid size, because readers differ in the chunks that
     * they see there
     */
    static void copy(PeerInput in, Body.Sink out, CopyBuffer buffer) throws IOException {
        while (true) {
            String line = in.line(MAX_LINE);
            long size = size(line);
            byte[] frame = PeerInput.bytes(line + "\r\n");
            out.write(frame, frame.length);
            Body.copyExactly(in, out, size, buffer);
            if (size == 0) {
                HttpFields.read(in, MAX_TRAILER_BYTES);
            } else if (in.octet() != '\r' || in.octet() != '\n') {
                throw new BadRequestException("a chunk that is longer than it says");
            }
            out.write(END, END.length);
            if (size == 0) {
                return;
            }
        }
    }

    private static final byte[] END = {'\r', '\n'};

    private static long size(String line) throws BadRequestException {
        if (line.isEmpty() || line.length() > 15 || !line.chars().allMatch(Chunks::isHex)) {
            throw new BadRequestException("a chunk size that is no number, or has an extension");
        }
        return Long.parseLong(line, 16);
    }

    private static boolean isHex(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }
}
