package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;

/**
 * Bytes that travel as Base64 and may be too many to be held twice: the text is kept as it was received and decoded piece
 * by piece. Immutable, provided nobody writes to the message that it was received in.
 */
public final class Base64Data implements DirectWritable {

    /** Characters decoded at a time, a multiple of four. */
    static final int STEP = 128 * 1024;

    private final byte[] buffer;
    private final int offset;
    private final int length;
    private final boolean text;

    private Base64Data(byte[] buffer, int offset, int length, boolean text) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        this.text = text;
    }

    /** Takes decoded bytes, piece by piece. */
    @FunctionalInterface
    public interface Sink {
        /** The piece is the receiver's; nobody writes to the array later. */
        void accept(byte[] bytes, int offset, int length);
    }

    /** Plain bytes, to be sent. The array is not copied. */
    public static Base64Data ofBytes(byte[] bytes, int offset, int length) {
        return new Base64Data(bytes, offset, length, false);
    }

    /** Plain bytes, to be sent. The array is not copied. */
    public static Base64Data ofBytes(byte[] bytes) {
        return ofBytes(bytes, 0, bytes.length);
    }

    /** A received text, neither decoded nor checked. */
    static Base64Data ofText(byte[] buffer, int offset, int length) {
        return new Base64Data(buffer, offset, length, true);
    }

    /** Number of decoded bytes, provided the text is Base64. */
    public int size() {
        if (!text) {
            return length;
        }
        int padding = 0;
        while (padding < Math.min(2, length) && buffer[offset + length - 1 - padding] == '=') {
            padding++;
        }
        return length / 4 * 3 - padding;
    }

    /** Decodes everything once and keeps nothing, so that whoever calls {@link #forEachPiece} later meets no fault. */
    public void check() throws InvalidBase64Exception {
        forEachPiece((bytes, from, count) -> {});
    }

    /** Hands over all bytes in order, in pieces of some ten kilobytes. */
    public void forEachPiece(Sink sink) throws InvalidBase64Exception {
        if (!text) {
            sink.accept(buffer, offset, length);
            return;
        }
        for (int done = 0; done < length; done += STEP) {
            int step = Math.min(STEP, length - done);
            byte[] piece = decode(offset + done, step);
            if (done + step < length && piece.length < STEP / 4 * 3) {
                throw fault(); // padding in the middle
            }
            sink.accept(piece, 0, piece.length);
        }
    }

    /** All bytes in an array of their own. */
    public byte[] toByteArray() throws InvalidBase64Exception {
        return text ? Base64Text.decode(buffer, offset, length) : Arrays.copyOfRange(buffer, offset, offset + length);
    }

    /** Appends the quoted Base64 text. */
    @Override
    public void writeDirect(MessageBuffer out) {
        out.write('"');
        if (text) {
            out.write(buffer, offset, length);
        } else {
            out.base64(buffer, offset, length);
        }
        out.write('"');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }

    private byte[] decode(int from, int count) throws InvalidBase64Exception {
        try {
            return Base64Text.decode(buffer, from, count);
        } catch (InvalidBase64Exception e) {
            throw fault();
        }
    }

    /** The fault with its place in the whole text. */
    private InvalidBase64Exception fault() {
        return Base64Text.problem(buffer, offset, length);
    }

    @Override
    public String toString() {
        return "Base64Data[" + size() + " bytes]";
    }
}
