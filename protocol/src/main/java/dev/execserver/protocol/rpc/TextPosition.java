package dev.execserver.protocol.rpc;

/**
 * Places in a message the way the reference counts them: lines from 1, columns in bytes. A place is given as the number
 * of bytes up to and including the offending one (or up to the end of input), hence "column 0" for an empty message.
 */
final class TextPosition {

    private TextPosition() {}

    /** The suffix {@code " at line L column C"} for the place {@code consumed} bytes into the message. */
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
