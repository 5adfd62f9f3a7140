package dev.execserver.server.transport.codec;

import dev.execserver.protocol.rpc.ReceivedMessage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Checks UTF-8 piece by piece, as RFC 3629 section 4 defines it: no overlong forms, no surrogates, nothing above
 * U+10FFFF. A character may be split over pieces. Runs of ASCII are skipped eight bytes at a time. Not thread safe.
 */
public final class Utf8Validator {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080808080808080L;

    /** Number of continuation bytes that the current character still needs. */
    private int needed;
    /** Bounds of the next byte; narrower than 80..BF only for the second byte of some characters. */
    private int lowest = 0x80;

    private int highest = 0xBF;

    /** Returns true if the whole message is valid. */
    public static boolean valid(ReceivedMessage message) {
        Utf8Validator whole = new Utf8Validator();
        boolean[] valid = {true};
        message.forEachText((text, offset, length) -> valid[0] &= whole.accept(text, offset, length));
        return valid[0] && whole.complete();
    }

    /** Checks the next piece. Returns false as soon as no valid text can begin with the bytes so far. */
    boolean accept(byte[] data, int offset, int length) {
        int end = offset + length;
        int at = offset;
        while (at < end) {
            if (needed == 0) {
                at = skipAscii(data, at, end);
                if (at == end) {
                    return true;
                }
                if (!lead(data[at++] & 0xFF)) {
                    return false;
                }
            } else {
                int octet = data[at++] & 0xFF;
                if (octet < lowest || octet > highest) {
                    return false;
                }
                lowest = 0x80;
                highest = 0xBF;
                needed--;
            }
        }
        return true;
    }

    /** Returns true if the text may end here. */
    boolean complete() {
        return needed == 0;
    }

    void reset() {
        needed = 0;
        lowest = 0x80;
        highest = 0xBF;
    }

    private static int skipAscii(byte[] data, int from, int end) {
        int at = from;
        while (at + 8 <= end && ((long) LONG.get(data, at) & HIGH_BITS) == 0) {
            at += 8;
        }
        while (at < end && data[at] >= 0) {
            at++;
        }
        return at;
    }

    private boolean lead(int octet) {
        if (octet >= 0xC2 && octet <= 0xDF) {
            needed = 1;
        } else if (octet >= 0xE0 && octet <= 0xEF) {
            needed = 2;
            lowest = octet == 0xE0 ? 0xA0 : 0x80;
            highest = octet == 0xED ? 0x9F : 0xBF;
        } else if (octet >= 0xF0 && octet <= 0xF4) {
            needed = 3;
            lowest = octet == 0xF0 ? 0x90 : 0x80;
            highest = octet == 0xF4 ? 0x8F : 0xBF;
        } else {
            return false;
        }
        return true;
    }
}
