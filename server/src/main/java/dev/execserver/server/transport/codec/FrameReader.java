package dev.execserver.server.transport.codec;

import java.io.EOFException;
import java.io.IOException;

/**
 * Reads frames from a byte source. Headers and small payloads pass through one small buffer, large payloads go straight
 * into their destination. It knows the syntax of a frame, but not which frames are allowed. Not thread safe.
 */
final class FrameReader {
    /** Small, because every idle connection has one. */
    private static final int BUFFER_BYTES = 8 * 1024;

    private final ByteSource source;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    private long remaining;

    FrameReader(ByteSource source) {
        this.source = source;
    }

    /**
     * Reads the header of the next frame. The payload of the previous frame must have been read or skipped.
     *
     * @throws EOFException when the peer is gone
     */
    FrameHeader next() throws IOException {
        int first = octet();
        int second = octet();
        long length = second & 0x7F;
        boolean shortest = true;
        if (length == 126) {
            length = number(2);
            shortest = length > 125;
        } else if (length == 127) {
            length = number(8);
            shortest = length > 0xFFFF || length < 0;
        }
        boolean masked = (second & 0x80) != 0;
        int mask = masked ? Integer.reverseBytes((int) number(4)) : 0;
        remaining = length < 0 ? Long.MAX_VALUE : length;
        return new FrameHeader((first & 0x80) != 0, first >> 4 & 7, first & 0xF, masked, mask, length, shortest);
    }

    /** Reads at least one and at most {@code length} bytes of the payload, still masked. */
    int payload(byte[] into, int offset, int length) throws IOException {
        int wanted = (int) Math.min(length, remaining);
        int count;
        if (position < limit || wanted < BUFFER_BYTES) {
            fill();
            count = Math.min(wanted, limit - position);
            System.arraycopy(buffer, position, into, offset, count);
            position += count;
        } else {
            count = source.read(into, offset, wanted);
            if (count < 0) {
                throw new EOFException();
            }
        }
        remaining -= count;
        return count;
    }

    /** Discards the rest of the current frame's payload. */
    void skip() throws IOException {
        while (remaining > 0) {
            fill();
            int count = (int) Math.min(remaining, limit - position);
            position += count;
            remaining -= count;
        }
    }

    private long number(int bytes) throws IOException {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | octet();
        }
        return value;
    }

    private int octet() throws IOException {
        if (position == limit) {
            fill();
        }
        return buffer[position++] & 0xFF;
    }

    private void fill() throws IOException {
        if (position < limit) {
            return;
        }
        position = 0;
        limit = 0;
        int count = source.read(buffer, 0, buffer.length);
        if (count < 0) {
            throw new EOFException();
        }
        limit = count;
    }
}
