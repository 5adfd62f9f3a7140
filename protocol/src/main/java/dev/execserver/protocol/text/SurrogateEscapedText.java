package dev.execserver.protocol.text;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Strings that represent any bytes, as the kernel has them in arguments, variables and names. Stateless.
 *
 * <p>UTF-8 is decoded as usual. Each other byte becomes a lone surrogate, U+DC80 to U+DCFF, which no UTF-8 text
 * contains. {@link #encode} restores the exact bytes. Such strings must not be sent, because the protocol carries valid
 * text only.
 */
public final class SurrogateEscapedText {
    private static final int FIRST = 0xDC80;
    private static final int LAST = 0xDCFF;
    private static final int BASE = 0xDC00;

    private SurrogateEscapedText() {}

    /** Returns the text for any bytes. */
    public static String decode(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        for (CoderResult result = decoder.decode(in, out, true);
                result.isError();
                result = decoder.decode(in, out, true)) {
            for (int i = 0; i < result.length(); i++) {
                out.put((char) (BASE + (in.get() & 0xFF)));
            }
            decoder.reset();
        }
        return out.flip().toString();
    }

    /** Returns the bytes of a text. */
    public static byte[] encode(String text) {
        if (utf8(text)) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        text.codePoints().forEach(point -> {
            if (escaped(point)) {
                bytes.write(point - BASE);
            } else {
                bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
            }
        });
        return bytes.toByteArray();
    }

    /** Returns true if every byte of the text is part of UTF-8, so that the text can be sent. */
    public static boolean utf8(String text) {
        return text.chars().noneMatch(SurrogateEscapedText::escaped)
                || text.codePoints().noneMatch(SurrogateEscapedText::escaped);
    }

    /** Returns the text for messages, with bytes that are not UTF-8 as {@code \xff}. */
    public static String shown(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (escaped(point)) {
                shown.append("\\x").append(HexFormat.of().toHexDigits((byte) (point - BASE)));
            } else {
                shown.appendCodePoint(point);
            }
        });
        return shown.toString();
    }

    private static boolean escaped(int point) {
        return point >= FIRST && point <= LAST;
    }
}
