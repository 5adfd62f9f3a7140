package dev.execserver.protocol.rpc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks at the undecoded bytes of a JSON string. */
final class RawString {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long ONES = 0x0101010101010101L;
    private static final long QUOTES = '"' * ONES;
    private static final long BACKSLASHES = '\\' * ONES;

    private RawString() {}

    /** Index of the first quote or backslash at or behind {@code from}, else {@code to}. Eight bytes at a time. */
    static int quoteOrBackslash(byte[] buffer, int from, int to) {
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            long word = (long) LONGS.get(buffer, i);
            long found = zeroBytes(word ^ QUOTES) | zeroBytes(word ^ BACKSLASHES);
            if (found != 0) {
                // The lowest mark is exact; borrows disturb only those above it.
                return i + Long.numberOfTrailingZeros(found) / Byte.SIZE;
            }
        }
        while (i < to && buffer[i] != '"' && buffer[i] != '\\') {
            i++;
        }
        return i;
    }

    private static long zeroBytes(long word) {
        return (word - ONES) & ~word & (ONES << 7);
    }
}
