package dev.execserver.protocol.rpc;

/**
 * Positions in a message as the reference server counts them: lines from 1, columns in bytes. A position is the number
 * of bytes up to and including the wrong one (or up to the end of input), hence "column 0" for an empty message.
 */
final class TextPosition {

    private TextPosition() {}

    /** Returns the suffix {@code " at line L column C"} for the position {@code consumed} bytes into the message. */
    static String after(byte[] buffer, int offset, int consumed, LongStrings longStrings) {
        int line = 1;
        int lineStart = offset;
        for (int i = offset; i < offset + consumed; i++) {
            if (buffer[i] == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        int end = offset + consumed;
        return " at line " + line + " column " + (end - lineStart + longStrings.missing(lineStart, end));
    }
}
