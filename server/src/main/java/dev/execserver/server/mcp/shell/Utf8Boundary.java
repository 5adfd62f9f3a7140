package dev.execserver.server.mcp.shell;

/** Finds where bytes may be cut so that no character of UTF-8 is cut. Pure functions. */
final class Utf8Boundary {
    private static final int MAX_SEQUENCE = 4;

    private Utf8Boundary() {}

    /** Returns the length without a character at the end whose last bytes are missing. */
    static int completeLength(byte[] bytes, int offset, int length) {
        for (int back = 1; back <= Math.min(MAX_SEQUENCE, length); back++) {
            int b = bytes[offset + length - back];
            if ((b & 0xC0) != 0x80) {
                return sequenceLength(b) > back ? length - back : length;
            }
        }
        return length;
    }

    /** Returns the number of bytes at the beginning that continue a character. */
    static int continuation(byte[] bytes) {
        int count = 0;
        while (count < Math.min(MAX_SEQUENCE - 1, bytes.length) && (bytes[count] & 0xC0) == 0x80) {
            count++;
        }
        return count;
    }

    private static int sequenceLength(int lead) {
        if ((lead & 0xE0) == 0xC0) {
            return 2;
        }
        if ((lead & 0xF0) == 0xE0) {
            return 3;
        }
        return (lead & 0xF8) == 0xF0 ? 4 : 1;
    }
}
