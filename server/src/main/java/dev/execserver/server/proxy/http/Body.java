package dev.execserver.server.proxy.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/** Length of a message body (RFC 9112, section 6.3). Copies the body. */
public sealed interface Body {

    /** A body of this many bytes. */
    record Counted(long bytes) implements Body {}

    /** A body in chunks. */
    record Chunked() implements Body {}

    /** A body that ends with the connection; responses only. */
    record UntilEnd() implements Body {}

    Body NONE = new Counted(0);

    /** @throws BadRequestException for two lengths, and for anything but chunks or one decimal number */
    static Body ofRequest(HttpFields fields, boolean http10) throws BadRequestException {
        return length(fields, http10).orElse(NONE);
    }

    /**
     * Returns the body of a response.
     *
     * @param toHead true if the request was a HEAD
     */
    static Body ofResponse(int status, HttpFields fields, boolean toHead, boolean http10) throws BadRequestException {
        Optional<Body> length = length(fields, http10);
        boolean none = toHead || status == 204 || status == 304 || status < 200;
        return none ? NONE : length.orElseGet(UntilEnd::new);
    }

    private static Optional<Body> length(HttpFields fields, boolean http10) throws BadRequestException {
        List<String> encodings = fields.values("transfer-encoding");
        Optional<String> length = fields.single("content-length");
        if (encodings.isEmpty()) {
            return length.isEmpty() ? Optional.empty() : Optional.of(new Counted(number(length.get())));
        }
        if (length.isPresent()) {
            throw new BadRequestException("both Content-Length and Transfer-Encoding");
        }
        if (encodings.size() > 1 || !encodings.getFirst().equalsIgnoreCase("chunked") || http10) {
            throw new BadRequestException("a Transfer-Encoding that is not chunked, or in HTTP/1.0");
        }
        return Optional.of(new Chunked());
    }

    private static long number(String digits) throws BadRequestException {
        if (digits.length() > 18 || digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new BadRequestException("a Content-Length that is no number");
        }
        return Long.parseLong(digits);
    }

    /** Destination of a body. */
    interface Sink {
        void write(byte[] bytes, int count) throws IOException;
    }

    /** Copies the whole body. */
    default void copy(PeerInput in, Sink out, CopyBuffer buffer) throws IOException {
        switch (this) {
            case Counted(long bytes) -> copyExactly(in, out, bytes, buffer);
            case UntilEnd() -> {
                for (int count = in.read(buffer.bytes()); count >= 0; count = in.read(buffer.bytes())) {
                    out.write(buffer.bytes(), count);
                    buffer.moved(count);
                }
            }
            case Chunked() -> Chunks.copy(in, out, buffer);
        }
    }

    /** @throws EOFException if the input is shorter */
    static void copyExactly(PeerInput in, Sink out, long bytes, CopyBuffer buffer) throws IOException {
        long left = bytes;
        while (left > 0) {
            int count = in.read(buffer.bytes(), (int) Math.min(left, buffer.bytes().length));
            if (count < 0) {
                throw new EOFException("a message was cut short");
            }
            out.write(buffer.bytes(), count);
            buffer.moved(count);
            left -= count;
        }
    }

    static Sink to(OutputStream out, ConnectionTimer watch) {
        return (bytes, count) -> {
            out.write(bytes, 0, count);
            watch.touch();
        };
    }
}
