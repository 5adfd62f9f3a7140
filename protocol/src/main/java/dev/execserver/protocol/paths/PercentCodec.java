package dev.execserver.protocol.paths;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Percent escapes of a path (RFC 3986 section 2.1), between bytes and ASCII. */
final class PercentCodec {

    /** Printable characters that are escaped: the path set of the WHATWG URL rules, and the backslash. */
    private static final String ESCAPED = " \"#%<>?\\^`{}";

    private static final String HEX = "0123456789ABCDEF";

    private PercentCodec() {}

    /** Replaces each {@code %} and the two hexadecimal digits after it by one byte. Other bytes are unchanged. */
    static byte[] decode(byte[] escaped) {
        byte[] out = new byte[escaped.length];
        int length = 0;
        for (int i = 0; i < escaped.length; i++) {
            byte b = escaped[i];
            if (b == '%' && i + 2 < escaped.length) {
                int high = Character.digit(escaped[i + 1], 16);
                int low = Character.digit(escaped[i + 2], 16);
                if (high >= 0 && low >= 0) {
                    b = (byte) (high << 4 | low);
                    i += 2;
                }
            }
            out[length++] = b;
        }
        return Arrays.copyOf(out, length);
    }

    static String encode(byte[] path) {
        boolean drive = FileUri.startsWithDrive(new String(path, StandardCharsets.ISO_8859_1));
        StringBuilder out = new StringBuilder(path.length + 16);
        for (int i = 0; i < path.length; i++) {
            int b = path[i] & 0xFF;
            // Without the escape, a directory that looks like a drive would not be read back as a Linux path.
            if (b > ' ' && b < 0x7F && ESCAPED.indexOf(b) < 0 && !(drive && i == 2)) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX.charAt(b >> 4)).append(HEX.charAt(b & 15));
            }
        }
        return out.toString();
    }
}
