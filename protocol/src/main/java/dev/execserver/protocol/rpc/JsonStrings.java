package dev.execserver.protocol.rpc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Searches and decodes the content of JSON strings. */
final class JsonStrings {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = ONES << 7;
    private static final long QUOTES = '"' * ONES;
    private static final long BACKSLASHES = '\\' * ONES;
    private static final long SPACES = ' ' * ONES;

    private JsonStrings() {}

    /**
     * Returns the index of the first quote, backslash or control character from {@code from} on, or {@code to}. Tests
     * eight bytes at a time: the lowest mark in a word is exact, because borrows change only the marks above it.
     */
    static int special(byte[] buffer, int from, int to) {
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            long word = (long) LONGS.get(buffer, i);
            long quote = word ^ QUOTES;
            long backslash = word ^ BACKSLASHES;
            long found = (((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash) | ((word - SPACES) & ~word))
                    & HIGH_BITS;
            if (found != 0) {
                return i + Long.numberOfTrailingZeros(found) / Byte.SIZE;
            }
        }
        while (i < to && buffer[i] != '"' && buffer[i] != '\\' && (buffer[i] < 0 || buffer[i] >= ' ')) {
            i++;
        }
        return i;
    }

    /**
     * Returns the string between two indices, whose escapes are well-formed. Bytes that are not UTF-8 become U+FFFD.
     *
     * @throws MalformedMessageException for an escaped surrogate without its partner, because it has no UTF-8 form
     */
    static String decode(byte[] buffer, int from, int to, boolean escaped) throws MalformedMessageException {
        if (!escaped) {
            return new String(buffer, from, to - from, StandardCharsets.UTF_8);
        }
        StringBuilder out = new StringBuilder(to - from);
        int plain = from;
        for (int i = special(buffer, from, to); i < to; i = special(buffer, plain, to)) {
            append(out, buffer, plain, i);
            if (buffer[i + 1] == 'u') {
                out.append((char) hex(buffer, i + 2));
                plain = i + 6;
            } else {
                out.append(unescaped(buffer[i + 1]));
                plain = i + 2;
            }
        }
        append(out, buffer, plain, to);
        String text = out.toString();
        if (!Text.isWellFormed(text)) {
            throw new MalformedMessageException("lone surrogate in hex escape");
        }
        return text;
    }

    private static void append(StringBuilder out, byte[] buffer, int from, int to) {
        if (to > from) {
            out.append(new String(buffer, from, to - from, StandardCharsets.UTF_8));
        }
    }

    private static char unescaped(byte letter) {
        return switch (letter) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> (char) letter;
        };
    }

    private static int hex(byte[] buffer, int at) {
        int value = 0;
        for (int i = at; i < at + 4; i++) {
            value = value << 4 | Character.digit(buffer[i], 16);
        }
        return value;
    }
}
