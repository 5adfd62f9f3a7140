package dev.execserver.protocol.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VisibleTextTest {
    private static final String EVIL = "boom \u001b]0;PWNED\u0007\u001b[2J\u009b5mA\rB\u202eC\u007f";

    @Test
    void c101_whatATerminalObeysIsShown() {
        assertThat(VisibleText.of(EVIL)).isEqualTo("boom \\x1b]0;PWNED\\x07\\x1b[2J\\x9b5mA\\rB\\u202eC\\x7f");
    }

    @Test
    void c101_nothingStartsAnotherLine() {
        assertThat(VisibleText.of("a\nb\u2028c\u2029d\u0085e\u000bf\tg"))
                .isEqualTo("a\\nb\\u2028c\\u2029d\\x85e\\x0bf\\tg");
    }

    @Test
    void formatControlsAndHalvesOfCharactersAreShown() {
        assertThat(VisibleText.of("\u200b\ufeff\u2066\ud800x\udc00" + Character.toString(0xe0041)))
                .isEqualTo("\\u200b\\ufeff\\u2066\\ud800x\\udc00\\U000e0041");
    }

    @Test
    void lettersOfAnyScriptStay() {
        String text = "Übergröße/日本語/नमस्ते 😀 C:\\temp";
        assertThat(VisibleText.of(text)).isSameAs(text);
        assertThat(VisibleText.harmless(text)).isTrue();
    }

    @Test
    void aMessageOfSeveralLinesBecomesOne() {
        assertThat(VisibleText.oneLine("\n first\r\n   second\u2028third\u001b[0m\n"))
                .isEqualTo("first second third\\x1b[0m");
    }

    @Test
    void ourOwnLinesStayLines() {
        assertThat(VisibleText.lines("a\u001b\n\tb\rc")).isEqualTo("a\\x1b\n\tb\\rc");
    }

    @Test
    void aLineOfALogKeepsItsTabs() {
        assertThat(VisibleText.line("\tat a\nb\r\u001b")).isEqualTo("\tat a\\nb\\r\\x1b");
    }

    @Test
    void everyCharacterComesOutHarmless() {
        for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
            assertThat(VisibleText.harmless(VisibleText.of(Character.toString(point))))
                    .as("U+%04x", point)
                    .isTrue();
        }
    }
}
