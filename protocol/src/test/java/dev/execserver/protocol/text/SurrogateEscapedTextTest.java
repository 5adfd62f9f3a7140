package dev.execserver.protocol.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SurrogateEscapedTextTest {
    @Test
    void c07_textStaysTextAndOtherBytesAreKept() {
        String text = "caf\u00e9 \ud83d\ude00 \ufffd";
        assertThat(SurrogateEscapedText.decode(text.getBytes(UTF_8))).isEqualTo(text);
        assertThat(SurrogateEscapedText.utf8(text)).isTrue();

        String other = SurrogateEscapedText.decode("caf\u00e9/\u00ff\u00c3".getBytes(ISO_8859_1));
        assertThat(SurrogateEscapedText.utf8(other)).isFalse();
        assertThat(SurrogateEscapedText.shown(other)).isEqualTo("caf\\xe9/\\xff\\xc3");
        assertThat(other).doesNotContain("\ufffd");
    }

    @Test
    void c07_anyBytesComeBack() {
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(12)];
            random.nextBytes(bytes);
            assertThat(SurrogateEscapedText.encode(SurrogateEscapedText.decode(bytes)))
                    .isEqualTo(bytes);
        }
        byte[] halfOfAPair = {(byte) 0xED, (byte) 0xB3, (byte) 0xBF};
        assertThat(SurrogateEscapedText.encode(SurrogateEscapedText.decode(halfOfAPair)))
                .isEqualTo(halfOfAPair);
    }
}
