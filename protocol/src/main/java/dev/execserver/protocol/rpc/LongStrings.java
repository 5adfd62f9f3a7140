package dev.execserver.protocol.rpc;

import java.util.Arrays;

/**
 * The long strings of a message and their positions in its remaining text, where each left a {@link #MARK} between its
 * quotes. A peer cannot forge a mark: a control character is not valid JSON, and a mark counts only at a known
 * position. Immutable.
 */
final class LongStrings {

    /** U+001A SUBSTITUTE. */
    static final byte MARK = 0x1A;

    private static final byte[] QUOTE = {'"'};

    static final LongStrings NONE = new LongStrings(new int[0], new LongString[0]);

    private final int[] places;
    private final LongString[] strings;

    /**
     * Makes the table.
     *
     * @param places indices of the marks, ascending
     */
    LongStrings(int[] places, LongString[] strings) {
        this.places = places;
        this.strings = strings;
    }

    /**
     * Returns the string whose mark is at that index, or null. Called for each string of a message that has long ones.
     */
    LongString at(int index) {
        int found = places.length == 0 ? -1 : Arrays.binarySearch(places, index);
        return found < 0 ? null : strings[found];
    }

    /** Returns the bytes that the removed strings add to the length of the text between two indices. */
    int missing(int from, int to) {
        int sum = 0;
        for (int i = first(from); i < places.length && places[i] < to; i++) {
            sum += strings[i].length() - 1;
        }
        return sum;
    }

    /** Returns true if a string was removed between two indices. */
    boolean anyBetween(int from, int to) {
        int first = first(from);
        return first < places.length && places[first] < to;
    }

    /** Appends the text between two indices with its strings in place. */
    void writeTo(MessageBuffer out, byte[] text, int from, int to) {
        int done = from;
        for (int i = first(from); i < places.length && places[i] < to; i++) {
            out.write(text, done, places[i] - done);
            strings[i].writeTo(out);
            done = places[i] + 1;
        }
        out.write(text, done, to - done);
    }

    void forEachText(ReceivedMessage.TextSink sink) {
        for (LongString string : strings) {
            string.forEachText(sink);
            sink.accept(QUOTE, 0, 1);
        }
    }

    private int first(int from) {
        int found = Arrays.binarySearch(places, from);
        return found < 0 ? -found - 1 : found;
    }
}
