package dev.execserver.protocol.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Base64TextTest {

    @ParameterizedTest
    @CsvSource({
        "'*', 'Invalid symbol 42, offset 0.'",
        "'%%%%', 'Invalid symbol 37, offset 0.'",
        "'YQ-_', 'Invalid symbol 45, offset 2.'",
        "'YW=h', 'Invalid symbol 61, offset 2.'",
        "'YQ', Invalid padding",
        "'YQ=', Invalid padding",
        "'Y', Invalid padding",
        "'YWJj=', Invalid padding",
        "'====', Invalid padding",
        "'Y===', Invalid padding",
        "'YR==', 'Invalid last symbol 82, offset 1.'",
        "'YWF=', 'Invalid last symbol 70, offset 2.'",
        "'YQ==YQ==', 'Invalid symbol 61, offset 2.'",
        "'YW\nJj', 'Invalid symbol 10, offset 2.'",
    })
    void faultsAreNamedInTheWordsOfTheReference(String text, String fault) {
        assertThatThrownBy(() -> decode(text))
                .isInstanceOf(InvalidBase64Exception.class)
                .hasMessage(fault);
    }

    @Property(tries = 1000)
    void whatWasEncodedIsDecoded(@ForAll @Size(max = 200) byte[] bytes) throws Exception {
        assertThat(decode(Base64.getEncoder().encodeToString(bytes))).isEqualTo(bytes);
    }

    /** Checks that decoding is strict: only one text exists for each sequence of bytes. */
    @Property(tries = 5000)
    void whatIsDecodedWasEncodedLikeThat(@ForAll @StringLength(max = 12) @CharRange(from = '+', to = 'z') String text) {
        try {
            assertThat(Base64.getEncoder().encodeToString(decode(text))).isEqualTo(text);
        } catch (InvalidBase64Exception e) {
            assertThat(e.getMessage()).startsWith("Invalid ");
        }
    }

    private static byte[] decode(String text) throws InvalidBase64Exception {
        byte[] bytes = ("??" + text + "!").getBytes(StandardCharsets.UTF_8);
        return Base64Text.decode(bytes, 2, bytes.length - 3);
    }
}
