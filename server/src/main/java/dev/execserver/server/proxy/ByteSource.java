package dev.execserver.server.proxy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What a peer sends, with a buffer, so that lines can be read and then whatever follows. One thread. */
final class ByteSource {

    private static final int BUFFER_BYTES = 4 * 1024;

    private final InputStream in;
    private final Watch watch;
    private byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;

    /** @param watch is told of every arrival */
    ByteSource(InputStream in, Watch watch) {
        this.in = in;
        this.watch = watch;
    }

    /** Bytes up to the array's length; -1 at the end. */
    int read(byte[] target) throws IOException {
        return read(target, target.length);
    }

    int read(byte[] target, int max) throws IOException {
        if (position < limit) {
            int count = Math.min(max, limit - position);
            System.arraycopy(buffer, position, target, 0, count);
            position += count;
            return count;
        }
        int count = in.read(target, 0, max);
        if (count > 0) {
            watch.touch();
        }
        return count;
    }

    /** What was taken from the stream and asked for by nobody; to be asked last, when others read the stream from then on. */
    byte[] rest() {
        byte[] rest = Arrays.copyOfRange(buffer, position, limit);
        position = limit;
        return rest;
    }

    /** Waits for a byte and leaves it; false at the end. */
    boolean awaitByte() throws IOException {
        return position < limit || fill();
    }

    /** One byte, 0 to 255. */
    int octet() throws IOException {
        if (!awaitByte()) {
            throw new EOFException("the peer has ended the connection");
        }
        return buffer[position++] & 0xff;
    }

    byte[] octets(int count) throws IOException {
        byte[] octets = new byte[count];
        for (int i = 0; i < count; i++) {
            octets[i] = (byte) octet();
        }
        return octets;
    }

    /**
     * A line without its CR LF. Nothing else ends one: what some take for a line and others do not is how requests are
     * smuggled (RFC 9112, section 11.2).
     *
     * @param max characters
     * @throws BadRequestException for a longer one, and for a CR or LF alone
     */
    String line(int max) throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int c = octet();
            if (c == '\r') {
                if (octet() != '\n') {
                    throw new BadRequestException("a carriage return without a line feed");
                }
                return line.toString();
            }
            if (c == '\n') {
                throw new BadRequestException("a line feed without a carriage return");
            }
            if (line.length() == max) {
                throw new BadRequestException("a head of more than the limit of bytes");
            }
            line.append((char) c); // ISO 8859-1, as RFC 9110 has it for what is not ASCII
        }
    }

    /** The bytes of a line as it came. */
    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private boolean fill() throws IOException {
        int count = in.read(buffer);
        position = 0;
        limit = Math.max(count, 0);
        if (count > 0) {
            watch.touch();
        }
        return count > 0;
    }
}
