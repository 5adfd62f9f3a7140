package dev.execserver.protocol.rpc;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * One outgoing message in a growing array with room for framing around it, so that it is sent without a copy:
 * {@value #HEADROOM} bytes in front for the header of a WebSocket frame (RFC 6455 section 5.2 needs at most 14),
 * {@value #TAILROOM} behind for the line feed of stdio. Large content is kept as raw bytes and becomes Base64 while the
 * message is sent ({@link #content}); the sender resets such a message after it was sent or dropped. Reusable through
 * {@link #reset()}. Not thread-safe.
 *
 * <p>Appended strings are always valid UTF-8: a surrogate without its partner becomes U+FFFD.
 */
public final class MessageBuffer extends OutputStream {

    /** Bytes reserved in front of the payload. */
    public static final int HEADROOM = 16;

    /** Bytes reserved behind the payload. */
    public static final int TAILROOM = 1;

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private static final byte[] MIN_LONG = {
        '-', '9', '2', '2', '3', '3', '7', '2', '0', '3', '6', '8', '5', '4', '7', '7', '5', '8', '0', '8'
    };

    /**
     * Bytes encoded at a time: a multiple of three, so that no padding falls inside, and small enough for the cache.
     */
    private static final int BASE64_STEP = 3 * 8192;

    /** Content bytes encoded at a time while it is sent: {@value} bytes become 128 KiB of text. */
    private static final int SENT_STEP = 3 * 32 * 1024;

    private static final int FIRST_BYTES = 512;

    private final Growth growth;
    private byte[] array;
    private int end = HEADROOM;
    /** Content that is not encoded yet, or null. Its text belongs at index {@link #contentAt} of the array. */
    private LargeContent content;

    private int contentCounted;
    private int contentAt;

    /** Hook that is called before a buffer grows. It refuses by an exception; the buffer is then unchanged. */
    @FunctionalInterface
    public interface Growth {

        /** A hook that permits everything. */
        Growth FREE = (from, to) -> {};

        /** Called before the array is replaced by a larger one. */
        void grow(long fromBytes, long toBytes);
    }

    /** Receiver of a payload, piece by piece. */
    @FunctionalInterface
    public interface Sink {

        /** Receives a piece. The first one has {@value #HEADROOM} bytes in front that may be overwritten. */
        void accept(byte[] bytes, int offset, int length) throws IOException;
    }

    public MessageBuffer() {
        this(FIRST_BYTES);
    }

    /** Makes a buffer that takes a payload of that many bytes without growing. */
    public MessageBuffer(int payloadBytes) {
        this(payloadBytes, Growth.FREE);
    }

    /** Makes a small buffer whose growth is counted. */
    public MessageBuffer(Growth growth) {
        this(FIRST_BYTES, growth);
    }

    private MessageBuffer(int payloadBytes, Growth growth) {
        this.growth = growth;
        array = new byte[Math.addExact(payloadBytes, HEADROOM + TAILROOM)];
    }

    /** Returns the array with the payload, including all content. The array changes when the buffer grows. */
    public byte[] array() {
        joinContent();
        return array;
    }

    /** Returns the start of the payload in {@link #array()}, always {@value #HEADROOM}. */
    public int offset() {
        return HEADROOM;
    }

    /** Returns the length of the payload in bytes. */
    public int length() {
        return end - HEADROOM + (content == null ? 0 : (int) base64Length(content.length()));
    }

    /** Returns the bytes that the buffer holds in memory. */
    public int capacity() {
        return heapBytes() + (content == null ? 0 : contentCounted);
    }

    /** Returns the part of {@link #capacity()} that is in the heap, so that only the garbage collector frees it. */
    public int heapBytes() {
        return array.length;
    }

    /** Empties the buffer, keeps its array and frees the memory of large content. May be called again. */
    public void reset() {
        end = HEADROOM;
        if (content != null) {
            content.close();
            content = null;
        }
    }

    /** Returns a copy of the payload. */
    public byte[] toByteArray() {
        joinContent();
        return Arrays.copyOfRange(array, HEADROOM, end);
    }

    @Override
    public void write(int b) {
        reserve(1);
        array[end++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes) {
        write(bytes, 0, bytes.length);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        reserve(length);
        System.arraycopy(bytes, offset, array, end, length);
        end += length;
    }

    /** Appends ASCII characters unchanged, for JSON syntax and fixed names. */
    @SuppressWarnings("deprecation") // It takes the low byte of each character, which is right for ASCII.
    public void ascii(String text) {
        int length = text.length();
        reserve(length);
        text.getBytes(0, length, array, end);
        end += length;
    }

    /**
     * Appends a quoted JSON string with the escapes of the reference server: short forms, otherwise lower-case \\u00xx.
     */
    public void string(CharSequence text) {
        int length = text.length();
        reserve(length + 2L);
        array[end++] = '"';
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                i += multiByte(text, i, c);
            } else if (c < ' ' || c == '"' || c == '\\') {
                escape(c);
            } else {
                // One byte for this character, one for each remaining character, one for the quote.
                reserve(length - i + 1L);
                array[end++] = (byte) c;
            }
        }
        write('"');
    }

    public void number(long value) {
        if (value == Long.MIN_VALUE) {
            write(MIN_LONG);
            return;
        }
        reserve(MIN_LONG.length);
        long rest = Math.abs(value);
        if (value < 0) {
            array[end++] = '-';
        }
        int digits = 1;
        for (long power = rest; power >= 10; power /= 10) {
            digits++;
        }
        end += digits;
        for (int i = end - 1; i >= end - digits; i--) {
            array[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    public void bool(boolean value) {
        ascii(value ? "true" : "false");
    }

    /** Appends standard Base64 with padding (RFC 4648 section 4), without quotes. */
    public void base64(byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        reserve(base64Length(length));
        // Only the encoder's bulk methods are intrinsics, and only this one takes a range of its source.
        for (int done = 0; done < length; done += BASE64_STEP) {
            int step = Math.min(BASE64_STEP, length - done);
            write(encoded(source, offset + done, step));
        }
    }

    private static byte[] encoded(byte[] source, int offset, int length) {
        return Base64.getEncoder()
                .encode(ByteBuffer.wrap(source, offset, length))
                .array();
    }

    /**
     * Appends the same text as {@link #base64}, for content that the buffer owns from then on. The text is made while
     * the message is sent. At most one call for each message.
     *
     * @param bytes memory of the content, counted before it is loaded
     */
    public void content(int bytes, Supplier<? extends LargeContent> load) {
        if (content != null) {
            throw new IllegalStateException("the message has content already");
        }
        growth.grow(array.length, (long) array.length + bytes);
        content = load.get();
        contentCounted = bytes;
        contentAt = end;
    }

    /**
     * Hands over the payload in order. The text of large content is made piece by piece in one array that is reused.
     */
    public void forEachPiece(Sink sink) throws IOException {
        if (content == null) {
            sink.accept(array, HEADROOM, end - HEADROOM);
            return;
        }
        sink.accept(array, HEADROOM, contentAt - HEADROOM);
        forEachText(content, sink);
        sink.accept(array, contentAt, end - contentAt);
    }

    private static void forEachText(LargeContent content, Sink sink) throws IOException {
        int length = content.length();
        byte[] step = new byte[Math.min(SENT_STEP, length)];
        byte[] text = new byte[(int) base64Length(step.length)];
        for (int done = 0; done < length; done += step.length) {
            int count = Math.min(step.length, length - done);
            content.get(done, step, 0, count);
            byte[] source = count == step.length ? step : Arrays.copyOf(step, count);
            sink.accept(text, 0, Base64.getEncoder().encode(source, text));
        }
    }

    private void joinContent() {
        if (content == null) {
            return;
        }
        byte[] behind = Arrays.copyOfRange(array, contentAt, end);
        try (LargeContent joined = content) {
            content = null;
            end = contentAt;
            reserve(base64Length(joined.length()) + behind.length);
            forEachText(joined, this::write);
        } catch (IOException e) {
            throw new UncheckedIOException("an array cannot fail", e);
        }
        write(behind);
    }

    /** Returns the length of the text that {@link #base64} appends for that many bytes. */
    public static long base64Length(long bytes) {
        return (bytes + 2) / 3 * 4;
    }

    /** Reserves room for that many more payload bytes, so that a large message grows only once and not too far. */
    public void expect(long payloadBytes) {
        reserve(payloadBytes);
    }

    /** Does nothing. A generator closes its target after it has written its value. */
    @Override
    public void close() {}

    /** Makes room for {@code more} payload bytes and the tail room. */
    private void reserve(long more) {
        long needed = end + more + TAILROOM;
        if (needed > array.length) {
            if (needed > Integer.MAX_VALUE - 8) {
                throw new OutOfMemoryError("message of " + needed + " bytes");
            }
            long doubled = Math.min(array.length * 2L, Integer.MAX_VALUE - 8);
            int size = (int) Math.max(needed, doubled);
            growth.grow(array.length, size);
            array = Arrays.copyOf(array, size);
        }
    }

    private void escape(char c) {
        reserve(6);
        array[end++] = '\\';
        switch (c) {
            case '"', '\\' -> array[end++] = (byte) c;
            case '\b' -> array[end++] = 'b';
            case '\t' -> array[end++] = 't';
            case '\n' -> array[end++] = 'n';
            case '\f' -> array[end++] = 'f';
            case '\r' -> array[end++] = 'r';
            default -> {
                array[end++] = 'u';
                array[end++] = '0';
                array[end++] = '0';
                array[end++] = HEX[c >> 4];
                array[end++] = HEX[c & 15];
            }
        }
    }

    /**
     * Appends the character at {@code index} as UTF-8. Returns the number of further chars that it consumed: 1 for a
     * pair, else 0.
     */
    private int multiByte(CharSequence text, int index, char c) {
        reserve(4);
        if (c < 0x800) {
            array[end++] = (byte) (0xC0 | (c >> 6));
            array[end++] = (byte) (0x80 | (c & 0x3F));
            return 0;
        }
        if (Character.isHighSurrogate(c)
                && index + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(index + 1))) {
            int point = Character.toCodePoint(c, text.charAt(index + 1));
            array[end++] = (byte) (0xF0 | (point >> 18));
            array[end++] = (byte) (0x80 | ((point >> 12) & 0x3F));
            array[end++] = (byte) (0x80 | ((point >> 6) & 0x3F));
            array[end++] = (byte) (0x80 | (point & 0x3F));
            return 1;
        }
        char sent = Character.isSurrogate(c) ? '\uFFFD' : c;
        array[end++] = (byte) (0xE0 | (sent >> 12));
        array[end++] = (byte) (0x80 | ((sent >> 6) & 0x3F));
        array[end++] = (byte) (0x80 | (sent & 0x3F));
        return 0;
    }
}
