package dev.execserver.server.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.text.SurrogateEscapedText;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ExactArgumentsTest {
    @Test
    void c07_whatTheLocaleCouldNotDecodeComesFromTheKernel() throws IOException {
        byte[] line = "java\0-jar\0x.jar\0run\0--\0printf\0\u00e9\0\0".getBytes(UTF_8);

        assertThat(ExactArguments.last(line, "run", "--", "printf", "\ufffd\ufffd", ""))
                .containsExactly("run", "--", "printf", "\u00e9", "");
    }

    @Test
    void c07_bytesThatAreNotUtf8AreKept() throws IOException {
        byte[] line = "java\0cp\0caf\u00e9\0".getBytes(ISO_8859_1);

        String name = ExactArguments.last(line, "cp", "caf\ufffd")[1];

        assertThat(SurrogateEscapedText.encode(name)).isEqualTo("caf\u00e9".getBytes(ISO_8859_1));
    }

    @Test
    void c07_argumentsOfAnotherProgramAreNotTaken() {
        byte[] line = "java\0Main\0other\0\u00e9\0".getBytes(UTF_8);

        assertThatThrownBy(() -> ExactArguments.last(line, "run", "\ufffd")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ExactArguments.last(line, "a", "b", "c", "other", "\ufffd"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void argumentsInAsciiAreLeftAsTheyAre() {
        assertThat(ExactArguments.of("run", "--", "ls")).containsExactly("run", "--", "ls");
    }
}
