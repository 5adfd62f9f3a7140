package dev.execserver.helper.wire;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/**
 * How messages stand on the socket. A request is its length in four bytes, most significant first, and so many bytes of a
 * JSON-RPC request whose id is a number. An answer is a length that counts all that follows it, the number of the request
 * in eight bytes, one byte for its {@link Kind}, and one JSON value: the result, or the error object. Stateless.
 */
public final class Frames {

    /** What stands before a request. */
    public static final int LENGTH_BYTES = Integer.BYTES;

    /** What stands between the length of an answer and its value. */
    public static final int ANSWER_BYTES = Long.BYTES + 1;

    /** The largest message of the protocol, with room for what stands around it here. */
    public static final int MAX_BYTES = 64 * 1024 * 1024 + 4096;

    /** What an answer is. */
    public enum Kind {
        RESULT,
        ERROR
    }

    private Frames() {}

    /**
     * Waits for the next request; empty at the end of the stream.
     *
     * @throws IOException when the stream ends inside of a request, or announces one above the limit
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

    /** Puts a number into the array, most significant byte first. */
    public static void put(byte[] array, int offset, int bytes, long number) {
        for (int i = 0; i < bytes; i++) {
            array[offset + i] = (byte) (number >>> 8 * (bytes - 1 - i));
        }
    }

    /** The number that {@link #put} has put there. */
    public static long get(byte[] array, int offset, int bytes) {
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            number = number << 8 | array[offset + i] & 0xFF;
        }
        return number;
    }
}
