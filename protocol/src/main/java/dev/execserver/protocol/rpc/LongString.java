package dev.execserver.protocol.rpc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Content of one long JSON string without escapes, in pieces. Immutable.
 *
 * <p>Leading pieces that are Base64 were decoded while the message arrived: they need a quarter less memory, and
 * content is decoded only once. Encoding strict Base64 again gives the same text, so the text is still available.
 */
final class LongString {

    /** Text bytes of a piece. A multiple of four, and small enough to be decoded in the processor's cache. */
    static final int PIECE_BYTES = 64 * 1024;

    /** Decoded bytes of a whole piece of Base64 without padding. */
    private static final int DECODED_BYTES = PIECE_BYTES / 4 * 3;

    private final List<byte[]> pieces;
    /** Number of leading pieces that are decoded. The others are text. */
    private final int decoded;

    private final int length;

    private LongString(List<byte[]> pieces, int decoded, int length) {
        this.pieces = pieces;
        this.decoded = decoded;
        this.length = length;
    }

    /** Builder that takes the text as it arrives. Not thread-safe. */
    static final class Builder {
        private final List<byte[]> pieces = new ArrayList<>();
        private byte[] block = new byte[PIECE_BYTES];
        private int used;
        private int decoded;
        private int length;
        private long bytes;

        void add(byte[] text, int offset, int count) {
            for (int done = 0; done < count; ) {
                if (used == PIECE_BYTES) {
                    endPiece();
                }
                int step = Math.min(count - done, PIECE_BYTES - used);
                System.arraycopy(text, offset + done, block, used, step);
                used += step;
                done += step;
            }
            length += count;
        }

        /** Returns the bytes of text so far. */
        int length() {
            return length;
        }

        /** Returns the bytes in memory: the added text, and until {@link #build} the room for more. */
        long held() {
            return bytes + (block == null ? 0 : PIECE_BYTES);
        }

        /** Returns the string. Nothing can be added afterwards. */
        LongString build() {
            if (used > 0) {
                endPiece();
            }
            block = null;
            return new LongString(pieces, decoded, length);
        }

        private void endPiece() {
            if (decoded == pieces.size()) {
                try {
                    keep(Base64Text.decode(block, 0, used));
                    decoded++;
                    used = 0;
                    return;
                } catch (InvalidBase64Exception unused) {
                    // the piece is kept as text
                }
            }
            keep(used == PIECE_BYTES ? block : Arrays.copyOf(block, used));
            block = new byte[PIECE_BYTES];
            used = 0;
        }

        private void keep(byte[] piece) {
            pieces.add(piece);
            bytes += piece.length;
        }
    }

    /** Returns the bytes of text. */
    int length() {
        return length;
    }

    /** Returns the text. Bytes that are not UTF-8 become U+FFFD. */
    String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        byte[] all = new byte[length];
        int[] used = {0};
        forEachPiece((text, offset, count) -> {
            System.arraycopy(text, offset, all, used[0], count);
            used[0] += count;
        });
        return all;
    }

    /** Appends the text. */
    void writeTo(MessageBuffer out) {
        forEachPiece(out::write);
    }

    /** Hands over the text in order. */
    void forEachPiece(ReceivedMessage.TextSink sink) {
        for (int i = 0; i < pieces.size(); i++) {
            byte[] piece = pieces.get(i);
            byte[] text = i < decoded ? Base64.getEncoder().encode(piece) : piece;
            sink.accept(text, 0, text.length);
        }
    }

    /** Hands over, in order, the text that may contain other characters than ASCII. */
    void forEachText(ReceivedMessage.TextSink sink) {
        for (byte[] piece : pieces.subList(decoded, pieces.size())) {
            sink.accept(piece, 0, piece.length);
        }
    }

    /** Returns the number of bytes in the decoded pieces. */
    int decodedLength() {
        int total = 0;
        for (byte[] piece : pieces.subList(0, decoded)) {
            total += piece.length;
        }
        return total;
    }

    /** Throws unless the whole text is Base64. */
    void checkBase64() throws InvalidBase64Exception {
        boolean whole = decoded == pieces.size();
        for (int i = 0; whole && i < decoded - 1; i++) {
            whole = pieces.get(i).length == DECODED_BYTES; // otherwise there is padding in the middle
        }
        if (!whole) {
            byte[] text = bytes();
            throw Base64Text.problem(text, 0, text.length);
        }
    }

    /** Returns the decoded pieces in order. Call {@link #checkBase64} first. */
    List<byte[]> pieces() {
        return pieces;
    }
}
