package dev.execserver.cli.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Resets of what a remote program has changed of the terminal; E stands for the escape character. */
class TerminalModesTest {
    private final TerminalModes modes = new TerminalModes();

    private String reset(String... output) {
        for (String piece : output) {
            byte[] bytes = piece.replace('E', '\u001b').replace('~', '\u0007').getBytes(ISO_8859_1);
            modes.seen(bytes, 0, bytes.length);
        }
        return new String(modes.takeReset(), ISO_8859_1).replace('\u001b', 'E');
    }

    @ParameterizedTest
    @CsvSource({
        "E[?1049h, E[?1049l",
        "E[?25l, E[?25h",
        "E[?1002;1006h, E[?1002lE[?1006l",
        "E[?2004h, E[?2004l",
        "E[?1hE=, E[?1lE>",
        "E[?7l, E[?7h",
        "E[1;31m, E[0m",
        "E[4 q, E[0 q",
        "E[2;10r, E7E[rE8",
        "E(0, E(B",
        "E[>1u, E[<1u",
        "E[>4;2m, E[>4m",
        "E[4h, E[4l",
        "E]11;#ff0000E\\, E]111E\\",
        "E]4;1;red~, E]104E\\"
    })
    void whatIsChangedIsPutBack(String output, String reset) {
        assertThat(reset("text" + output + "text")).isEqualTo(reset);
        assertThat(reset()).as("once").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "plain text",
        "E[?1049hE[?1049l",
        "E[?25lE[?25h",
        "E[31mredE[0m",
        "E[31mredE[m",
        "E[?1;2004hE=E[?2004lE[?1lE>",
        "E[>1uE[<u",
        "E[2;10rE[r",
        "E[?1049hE[?25lEc",
        "E[?25lE[2;3rE[!p",
        "E]0;title~",
        "E]11;?E\\",
        "E]11;redE\\E]111E\\",
        "E[?12hE[?1048h",
        "E[2JE[10;20HE7E8"
    })
    void whatIsNotChangedOrPutBackByTheProgramIsLeftAlone(String output) {
        assertThat(reset(output)).isEmpty();
    }

    @Test
    void sequencesMayBeCutAnywhere() {
        assertThat(reset("E", "[", "?", "10", "49", "h", "E]", "11;x", "E", "\\"))
                .isEqualTo("E]111E\\E[?1049l");
    }

    @Test
    void aSequenceThatIsNotFinishedIsCancelled() {
        assertThat(reset("E[?104")).isEqualTo("\u0018");
        assertThat(reset("E]0;tit")).isEqualTo("\u0018");
        assertThat(modes.atRest()).isTrue();
    }

    @Test
    void aNeverEndingSequenceCostsNoMemory() {
        assertThat(reset("E]0;" + "x".repeat(1 << 20), "E\\", "E[?25l")).isEqualTo("E[?25h");
        assertThat(reset("E[" + "1;".repeat(1 << 20) + "m")).isEqualTo("E[0m");
    }

    @Test
    void theAlternateScreenIsKnown() {
        assertThat(modes.alternateScreen()).isFalse();
        byte[] enter = "\u001b[?1049h".getBytes(ISO_8859_1);
        modes.seen(enter, 0, enter.length);
        assertThat(modes.alternateScreen()).isTrue();
    }
}
