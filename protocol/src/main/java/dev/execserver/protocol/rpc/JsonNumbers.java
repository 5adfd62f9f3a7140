package dev.execserver.protocol.rpc;

import java.math.BigInteger;
import java.util.OptionalLong;

/** Integers as they stand in JSON; their length was limited by the scanner. */
final class JsonNumbers {

    /** Digits that fit a long whatever they are. */
    private static final int SAFE_LENGTH = 18;

    private JsonNumbers() {}

    /** The value when it is in the range of a signed 64-bit integer. */
    static OptionalLong signed(String text) {
        if (text.length() <= SAFE_LENGTH) {
            return OptionalLong.of(Long.parseLong(text));
        }
        BigInteger value = new BigInteger(text);
        return value.bitLength() < Long.SIZE ? OptionalLong.of(value.longValue()) : OptionalLong.empty();
    }

    /** Whether the value is in the range of an unsigned 64-bit integer. */
    static boolean isUnsigned(String text) {
        BigInteger value = new BigInteger(text);
        return value.signum() >= 0 && value.bitLength() <= Long.SIZE;
    }
}
