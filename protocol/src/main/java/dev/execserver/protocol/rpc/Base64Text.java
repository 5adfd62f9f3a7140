package dev.execserver.protocol.rpc;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;

/**
 * Base64 decoder with the rules of the protocol: standard alphabet, padding required, unused bits zero, no line breaks
 * (RFC 4648 section 3). The JDK's decoder does not enforce padding and zero bits, so they are checked here.
 */
public final class Base64Text {

    private static final int[] VALUES = values();

    private Base64Text() {}

    /** Decodes a range of ASCII bytes. */
    public static byte[] decode(byte[] text, int offset, int length) throws InvalidBase64Exception {
        if (length % 4 != 0 || !paddedCorrectly(text, offset, length)) {
            throw problem(text, offset, length);
        }
        try {
            ByteBuffer bytes = Base64.getDecoder().decode(ByteBuffer.wrap(text, offset, length));
            return bytes.remaining() == bytes.array().length
                    ? bytes.array()
                    : Arrays.copyOf(bytes.array(), bytes.remaining());
        } catch (IllegalArgumentException e) {
            throw problem(text, offset, length);
        }
    }

    /** Returns true if the last group has no unused bits that are set. Other faults are left to the decoder. */
    private static boolean paddedCorrectly(byte[] text, int offset, int length) {
        if (length == 0 || text[offset + length - 1] != '=') {
            return true;
        }
        int end = offset + length;
        return text[end - 2] == '=' ? (value(text[end - 3]) & 0x0F) == 0 : (value(text[end - 2]) & 0x03) == 0;
    }

    /** Returns the error with the text of the reference server. Searches for the fault again, slowly. */
    static InvalidBase64Exception problem(byte[] text, int offset, int length) {
        int symbols = length;
        while (symbols > 0 && text[offset + symbols - 1] == '=') {
            symbols--;
        }
        for (int i = 0; i < symbols; i++) {
            if (value(text[offset + i]) < 0) {
                return new InvalidBase64Exception(
                        "Invalid symbol " + (text[offset + i] & 0xFF) + ", offset " + i + ".");
            }
        }
        int padding = length - symbols;
        if (symbols % 4 == 1 || length % 4 != 0 || padding > 2) {
            return new InvalidBase64Exception("Invalid padding");
        }
        return new InvalidBase64Exception(
                "Invalid last symbol " + (text[offset + symbols - 1] & 0xFF) + ", offset " + (symbols - 1) + ".");
    }

    private static int value(byte symbol) {
        return VALUES[symbol & 0xFF];
    }

    private static int[] values() {
        int[] values = new int[256];
        Arrays.fill(values, -1);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < alphabet.length(); i++) {
            values[alphabet.charAt(i)] = i;
        }
        return values;
    }
}
