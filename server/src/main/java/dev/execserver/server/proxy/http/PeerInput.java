package dev.execserver.server.proxy.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Buffered input from a peer. Reads lines first and then any bytes that follow. One thread. */
public final class PeerInput {

    private static final int BUFFER_BYTES = 4 * 1024;

    private final InputStream in;
    private final ConnectionTimer watch;
    private byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;

    /** @param watch is notified of every arrival */
    public PeerInput(InputStream in, ConnectionTimer watch) {
        this.in = in;
        this.watch = watch;
    }

    /** Reads at most as many bytes as the array holds. Returns -1 at the end. */
    public int read(byte[] target) throws IOException {
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

    /**
     * Takes the buffered bytes that no caller has read yet. Call it last, before another reader takes over the stream.
     */
    public byte[] rest() {
        byte[] rest = Arrays.copyOfRange(buffer, position, limit);
        position = limit;
        return rest;
    }

    /** Waits for a byte without taking it. Returns false at the end. */
    public boolean awaitByte() throws IOException {
        return position < limit || fill();
    }

    /** Reads one byte, 0 to 255. */
    public int octet() throws IOException {
        if (!awaitByte()) {
            throw new EOFException("the peer has ended the connection");
        }
        return buffer[position++] & 0xff;
    }

    public byte[] octets(int count) throws IOException {
        byte[] octets = new byte[count];
        for (int i = 0; i < count; i++) {
            octets[i] = (byte) octet();
        }
        return octets;
    }

    /**
     * Reads a line and drops its CR LF. Accepts no other line end: requests are smuggled through lines that only some
     * readers recognize (RFC 9112, section 11.2).
     *
     * @param max longest line in characters
     * @throws BadRequestException for a longer line, and for a CR or LF alone
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
            line.append((char) c); // ISO 8859-1, which RFC 9110 names for bytes that are not ASCII
        }
    }

    /** Returns the bytes of a line that was read. */
    public static byte[] bytes(String text) {
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
