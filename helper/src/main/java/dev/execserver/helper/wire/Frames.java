package dev.execserver.helper.wire;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/**
 * Framing of messages on the socket. Stateless.
 *
 * <p>A request is its length in four bytes, most significant first, and a JSON-RPC request of that length, whose id is
 * a number. An answer is a length that counts everything after it, the number of the request in eight bytes, one byte
 * for its {@link Kind}, and one JSON value: the result or the error object.
 */
public final class Frames {

    /** Bytes of the length before a message. */
    public static final int LENGTH_BYTES = Integer.BYTES;

    /** Bytes between the length of an answer and its value. */
    public static final int ANSWER_BYTES = Long.BYTES + 1;

    /** Largest message in bytes: that of the protocol, with room for the framing. */
    public static final int MAX_BYTES = 64 * 1024 * 1024 + 4096;

    /** Type of an answer. */
    public enum Kind {
        RESULT,
        ERROR
    }

    private Frames() {}

    /**
     * Waits for the next request. Returns empty at the end of the stream.
     *
     * @throws IOException when the stream ends inside a request, or announces one above the limit
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

    /**
     * Checks the length of a message.
     *
     * @throws IOException for a length of 0 or above {@link #MAX_BYTES}
     */
    public static void check(int length) throws IOException {
        if (length <= 0 || length > MAX_BYTES) {
            throw new IOException("a message of " + Integer.toUnsignedString(length)
                    + " bytes is announced; the limit is " + MAX_BYTES);
        }
    }

    /** Puts a number into the array, most significant byte first. */
    public static void put(byte[] array, int offset, int bytes, long number) {
        for (int i = 0; i < bytes; i++) {
            array[offset + i] = (byte) (number >>> 8 * (bytes - 1 - i));
        }
    }

    /** Returns a number that {@link #put} has written. */
    public static long get(byte[] array, int offset, int bytes) {
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            number = number << 8 | array[offset + i] & 0xFF;
        }
        return number;
    }
}
