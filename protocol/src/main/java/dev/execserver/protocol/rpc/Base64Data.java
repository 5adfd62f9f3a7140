package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Bytes that are sent as Base64 and may be too large to be in memory twice. Received data is kept as it came, as text
 * or as pieces that were decoded during receipt, and is handed on piece by piece. Immutable, provided that the message
 * that contains it is not modified.
 */
public abstract sealed class Base64Data implements DirectWritable {

    /** Characters that are decoded at a time, a multiple of four. */
    static final int STEP = 128 * 1024;

    private Base64Data() {}

    /** Receiver of decoded bytes, piece by piece. */
    @FunctionalInterface
    public interface Sink {
        /** Receives a piece. The array is never modified afterwards; the receiver must not modify it either. */
        void accept(byte[] bytes, int offset, int length);
    }

    /** Makes data from plain bytes, to be sent. The array is not copied. */
    public static Base64Data ofBytes(byte[] bytes, int offset, int length) {
        return new Plain(bytes, offset, length);
    }

    /** Makes data from plain bytes, to be sent. The array is not copied. */
    public static Base64Data ofBytes(byte[] bytes) {
        return ofBytes(bytes, 0, bytes.length);
    }

    /** Makes data from received text without escapes, which is neither decoded nor checked. */
    static Base64Data ofText(byte[] buffer, int offset, int length) {
        return new Text(buffer, offset, length, false);
    }

    /**
     * Makes data from received text with escapes, which may contain any characters; it is neither decoded nor checked.
     */
    static Base64Data ofText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Text(bytes, 0, bytes.length, true);
    }

    /** Makes data from a long string of a received message. */
    static Base64Data ofLongString(LongString string) {
        return new Pieces(string);
    }

    /** Returns the number of decoded bytes, provided that the text is Base64. */
    public abstract int size();

    /** Throws if the text is not Base64. A later {@link #forEachPiece} then cannot fail. */
    public abstract void check() throws InvalidBase64Exception;

    /** Hands over all bytes in order, in pieces of some ten kilobytes. */
    public abstract void forEachPiece(Sink sink) throws InvalidBase64Exception;

    /** Returns all bytes in a new array. */
    public byte[] toByteArray() throws InvalidBase64Exception {
        check();
        byte[] all = new byte[size()];
        int[] used = {0};
        forEachPiece((bytes, offset, length) -> {
            System.arraycopy(bytes, offset, all, used[0], length);
            used[0] += length;
        });
        return all;
    }

    /** Appends the Base64 text. */
    abstract void writeText(MessageBuffer out);

    /** Appends the quoted Base64 text. */
    @Override
    public void writeDirect(MessageBuffer out) {
        out.write('"');
        writeText(out);
        out.write('"');
    }

    @Override
    public final void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }

    @Override
    public final String toString() {
        return "Base64Data[" + size() + " bytes]";
    }

    private static final class Plain extends Base64Data {
        private final byte[] bytes;
        private final int offset;
        private final int length;

        Plain(byte[] bytes, int offset, int length) {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            this.bytes = bytes;
            this.offset = offset;
            this.length = length;
        }

        @Override
        public int size() {
            return length;
        }

        @Override
        public void check() {
            // plain bytes have no text to check
        }

        @Override
        public void forEachPiece(Sink sink) {
            sink.accept(bytes, offset, length);
        }

        @Override
        void writeText(MessageBuffer out) {
            out.base64(bytes, offset, length);
        }
    }

    private static final class Text extends Base64Data {
        private final byte[] buffer;
        private final int offset;
        private final int length;
        private final boolean escaped;

        Text(byte[] buffer, int offset, int length, boolean escaped) {
            Objects.checkFromIndexSize(offset, length, buffer.length);
            this.buffer = buffer;
            this.offset = offset;
            this.length = length;
            this.escaped = escaped;
        }

        @Override
        public int size() {
            int padding = 0;
            while (padding < Math.min(2, length) && buffer[offset + length - 1 - padding] == '=') {
                padding++;
            }
            return length / 4 * 3 - padding;
        }

        @Override
        public void check() throws InvalidBase64Exception {
            forEachPiece((bytes, from, count) -> {});
        }

        @Override
        public void forEachPiece(Sink sink) throws InvalidBase64Exception {
            for (int done = 0; done < length; done += STEP) {
                int step = Math.min(STEP, length - done);
                byte[] piece = decode(offset + done, step);
                if (done + step < length && piece.length < STEP / 4 * 3) {
                    throw fault(); // padding in the middle
                }
                sink.accept(piece, 0, piece.length);
            }
        }

        @Override
        public byte[] toByteArray() throws InvalidBase64Exception {
            return Base64Text.decode(buffer, offset, length);
        }

        @Override
        public void writeDirect(MessageBuffer out) {
            if (escaped) {
                out.string(new String(buffer, offset, length, StandardCharsets.UTF_8));
            } else {
                super.writeDirect(out);
            }
        }

        @Override
        void writeText(MessageBuffer out) {
            out.write(buffer, offset, length);
        }

        private byte[] decode(int from, int count) throws InvalidBase64Exception {
            try {
                return Base64Text.decode(buffer, from, count);
            } catch (InvalidBase64Exception e) {
                throw fault();
            }
        }

        /** Returns the error with its position in the whole text. */
        private InvalidBase64Exception fault() {
            return Base64Text.problem(buffer, offset, length);
        }
    }

    private static final class Pieces extends Base64Data {
        private final LongString string;

        Pieces(LongString string) {
            this.string = string;
        }

        @Override
        public int size() {
            return string.decodedLength();
        }

        @Override
        public void check() throws InvalidBase64Exception {
            string.checkBase64();
        }

        @Override
        public void forEachPiece(Sink sink) throws InvalidBase64Exception {
            check();
            for (byte[] piece : string.pieces()) {
                sink.accept(piece, 0, piece.length);
            }
        }

        @Override
        void writeText(MessageBuffer out) {
            string.writeTo(out);
        }
    }
}
