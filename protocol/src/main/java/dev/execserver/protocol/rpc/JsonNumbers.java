package dev.execserver.protocol.rpc;

import java.math.BigInteger;
import java.util.OptionalLong;

/** Parses integers of a JSON text. The scanner has limited their length. */
final class JsonNumbers {

    /** Characters of an integer that always fit into a long. */
    private static final int SAFE_LENGTH = 18;

    private JsonNumbers() {}

    /** Returns the value if it is in the range of a signed 64-bit integer, otherwise empty. */
    static OptionalLong signed(String text) {
        if (text.length() <= SAFE_LENGTH) {
            return OptionalLong.of(Long.parseLong(text));
        }
        BigInteger value = new BigInteger(text);
        return value.bitLength() < Long.SIZE ? OptionalLong.of(value.longValue()) : OptionalLong.empty();
    }

    /** Returns true if the value is in the range of an unsigned 64-bit integer. */
    static boolean isUnsigned(String text) {
        BigInteger value = new BigInteger(text);
        return value.signum() >= 0 && value.bitLength() <= Long.SIZE;
    }
}
