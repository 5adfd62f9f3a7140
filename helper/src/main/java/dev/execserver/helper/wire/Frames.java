package dev.execserver.helper.wire;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/** One message on the socket: its length in four bytes, most significant first, then so many bytes of JSON. Stateless. */
public final class Frames {

    /** What stands before a message. */
    public static final int HEADER_BYTES = Integer.BYTES;

    /** The largest message of the protocol, with room for what the envelope between server and helper adds. */
    public static final int MAX_BYTES = 64 * 1024 * 1024 + 4096;

    private Frames() {}

    /**
     * Waits for the next message; empty at the end of the stream.
     *
     * @throws IOException when the stream ends inside of a message, or declares one above the limit
     */
    static Optional<byte[]> read(DataInputStream in) throws IOException {
        int first = in.read();
        if (first < 0) {
            return Optional.empty();
        }
        int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
        check(length);
        byte[] message = in.readNBytes(length);
        if (message.length < length) {
            throw new EOFException("the stream ends inside of a message");
        }
        return Optional.of(message);
    }

    /** @throws IOException for a length that no message has */
    public static void check(int length) throws IOException {
        if (length <= 0 || length > MAX_BYTES) {
            throw new IOException("a message of " + Integer.toUnsignedString(length)
                    + " bytes is announced; the limit is " + MAX_BYTES);
        }
    }

    /** Puts the header into the four bytes before {@code offset}. */
    public static void header(byte[] array, int offset, int length) {
        for (int i = 0; i < HEADER_BYTES; i++) {
            array[offset - HEADER_BYTES + i] = (byte) (length >>> 8 * (HEADER_BYTES - 1 - i));
        }
    }

    /** What {@link #header} has put there. */
    public static int length(byte[] header) {
        return (header[0] & 0xFF) << 24 | (header[1] & 0xFF) << 16 | (header[2] & 0xFF) << 8 | header[3] & 0xFF;
    }
}
