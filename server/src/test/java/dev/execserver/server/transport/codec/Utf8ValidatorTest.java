package dev.execserver.server.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class Utf8ValidatorTest {
    @Test
    void everyCodePointIsValidAndEverySurrogateIsNot() {
        for (int codePoint = 0; codePoint <= 0x10FFFF; codePoint++) {
            if (codePoint >= 0xD800 && codePoint <= 0xDFFF) {
                byte[] surrogate = {
                    (byte) (0xE0 | codePoint >> 12),
                    (byte) (0x80 | codePoint >> 6 & 0x3F),
                    (byte) (0x80 | codePoint & 0x3F)
                };
                assertThat(valid(surrogate, 3)).isFalse();
            } else {
                byte[] text = Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
                if (!valid(text, text.length)) {
                    throw new AssertionError("refused U+" + Integer.toHexString(codePoint));
                }
            }
        }
    }

    @Test
    void sequencesOfThreeBytesAreJudgedAsTheJdkJudgesThem() {
        byte[] text = new byte[3];
        for (int i = 0; i < 1 << 24; i += 509) {
            text[0] = (byte) (i >> 16);
            text[1] = (byte) (i >> 8);
            text[2] = (byte) i;
            if (text[0] < 0 && valid(text, 3) != validForJdk(text)) {
                throw new AssertionError(Integer.toHexString(i));
            }
        }
    }

    @Property(tries = 300)
    void validTextStaysValidHoweverItIsCut(@ForAll String text, @ForAll @IntRange(min = 1, max = 20) int piece) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertThat(valid(bytes, piece)).isTrue();
    }

    @Property(tries = 800)
    void randomBytesAreJudgedAsTheJdkJudgesThem(
            @ForAll @Size(max = 40) byte[] bytes, @ForAll @IntRange(min = 1, max = 20) int piece) {
        assertThat(valid(bytes, piece)).isEqualTo(validForJdk(bytes));
    }

    @Property(tries = 500)
    void oneBrokenByteInLongTextIsFound(@ForAll @IntRange(max = 199) int at) {
        byte[] bytes = "abcdefghij".repeat(20).getBytes(StandardCharsets.UTF_8);
        bytes[at] = (byte) 0xFF;
        assertThat(valid(bytes, bytes.length)).isFalse();
    }

    private static boolean valid(byte[] bytes, int piece) {
        Utf8Validator validator = new Utf8Validator();
        for (int at = 0; at < bytes.length; at += piece) {
            if (!validator.accept(bytes, at, Math.min(piece, bytes.length - at))) {
                return false;
            }
        }
        return validator.complete();
    }

    private static boolean validForJdk(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
