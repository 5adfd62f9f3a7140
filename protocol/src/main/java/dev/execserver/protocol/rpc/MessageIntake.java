package dev.execserver.protocol.rpc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Collects messages one after the other from the pieces in which they arrive. Not thread-safe.
 *
 * <p>Strings of more than {@value #LONG_BYTES} bytes without escapes, such as Base64, are removed from the text on the
 * way; the rest is parsed like a small message. The text may be invalid JSON: this class checks nothing.
 */
public final class MessageIntake {

    /** Longest string in bytes that always stays in the text. */
    static final int LONG_BYTES = 64 * 1024;

    private static final int FIRST_BYTES = 1024;

    /** The text array doubles up to this size, and then grows by a quarter. */
    private static final int DOUBLED_BYTES = 64 * 1024;

    /** Counter of the memory that the intake holds. */
    @FunctionalInterface
    public interface Room {

        /**
         * Reports the bytes that the intake holds now, or is about to hold.
         *
         * @throws IOException when there is no room for them; the intake can only be cleared then
         */
        void hold(long bytes) throws IOException;
    }

    private final Room room;
    private byte[] text = {};
    private int used;
    private boolean inString;
    /** True if the next byte belongs to a backslash. */
    private boolean escape;
    /** True if the string stays in the text, because it has escapes or is not valid JSON. */
    private boolean plain;

    private int stringStart;
    private final List<Integer> places = new ArrayList<>();
    private final List<LongString> strings = new ArrayList<>();
    /** Bytes that {@link #strings} hold in memory. */
    private long stringBytes;
    /** The string that is being removed from the text, or null. */
    private LongString.Builder taken;

    /** Makes an intake whose memory is counted by {@code room}. */
    public MessageIntake(Room room) {
        this.room = room;
    }

    /** Takes the next piece. The array may be reused afterwards. Throws the exceptions of its room. */
    public void add(byte[] data, int offset, int length) throws IOException {
        room.hold(held() + length);
        int end = offset + length;
        for (int at = offset; at < end; ) {
            if (taken != null) {
                at = longString(data, at, end);
            } else if (inString) {
                at = string(data, at, end);
            } else {
                at = outside(data, at, end);
            }
        }
        room.hold(held());
    }

    /** Returns the message and starts a new one. */
    public ReceivedMessage take() {
        if (taken != null) {
            leaveMark(); // the string has no end; the parser will report that
        }
        byte[] whole = used == text.length ? text : Arrays.copyOf(text, used);
        LongStrings found = strings.isEmpty()
                ? LongStrings.NONE
                : new LongStrings(
                        places.stream().mapToInt(Integer::intValue).toArray(), strings.toArray(LongString[]::new));
        clear();
        return new ReceivedMessage(whole, found);
    }

    /** Discards the current message. */
    public void clear() {
        text = new byte[0];
        used = 0;
        inString = false;
        escape = false;
        plain = false;
        taken = null;
        places.clear();
        strings.clear();
        stringBytes = 0;
    }

    private long held() {
        return used + stringBytes + (taken == null ? 0 : taken.held());
    }

    private int outside(byte[] data, int at, int end) {
        int special = JsonStrings.special(data, at, end);
        if (special == end) {
            append(data, at, end - at);
            return end;
        }
        append(data, at, special + 1 - at);
        if (data[special] == '"') {
            inString = true;
            plain = false;
            stringStart = used;
        }
        return special + 1;
    }

    private int string(byte[] data, int at, int end) throws IOException {
        if (escape) {
            escape = false;
            append(data, at, 1);
            return at + 1;
        }
        int special = JsonStrings.special(data, at, end);
        if (special == end) {
            append(data, at, end - at);
            if (!plain && used - stringStart > LONG_BYTES) {
                takeOut();
            }
            return end;
        }
        append(data, at, special + 1 - at);
        if (data[special] == '"') {
            inString = false;
        } else {
            plain = true;
            escape = data[special] == '\\';
        }
        return special + 1;
    }

    private int longString(byte[] data, int at, int end) throws IOException {
        int special = JsonStrings.special(data, at, end);
        taken.add(data, at, special - at);
        if (special < end && data[special] == '"') {
            leaveMark();
            inString = false;
            append(data, special, 1);
            return special + 1;
        }
        if (special < end) {
            putBack();
        }
        return special;
    }

    private void takeOut() throws IOException {
        room.hold(held() + LongString.PIECE_BYTES);
        taken = new LongString.Builder();
        taken.add(text, stringStart, used - stringStart);
        if (stringStart < LONG_BYTES) { // for larger text the copy would cost more than the string
            text = Arrays.copyOf(text, stringStart);
        }
        used = stringStart;
    }

    private void leaveMark() {
        LongString string = taken.build();
        stringBytes += taken.held();
        taken = null;
        places.add(used);
        strings.add(string);
        append(new byte[] {LongStrings.MARK}, 0, 1);
    }

    /** Puts the string back into the text, because it cannot be removed after all. */
    private void putBack() throws IOException {
        room.hold(held() + taken.length());
        reserve(taken.length());
        taken.build().forEachPiece(this::append);
        taken = null;
        plain = true;
    }

    private void append(byte[] data, int offset, int length) {
        reserve(length);
        System.arraycopy(data, offset, text, used, length);
        used += length;
    }

    private void reserve(int more) {
        if (more > text.length - used) {
            int growth = used < DOUBLED_BYTES ? Math.max(FIRST_BYTES, used) : used / 4;
            text = Arrays.copyOf(text, used + Math.max(more, growth));
        }
    }
}
