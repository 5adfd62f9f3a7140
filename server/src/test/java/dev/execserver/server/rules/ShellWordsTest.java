package dev.execserver.server.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordsTest {
    @Test
    void wordsAreSplitAsAShellDoes() {
        assertThat(ShellWords.split("git  commit -m 'a b' \"c \\\" d\" e\\ f '' # comment"))
                .contains(List.of("git", "commit", "-m", "a b", "c \" d", "e f", ""));
        assertThat(ShellWords.split("a'b'\"c\"#d")).contains(List.of("abc#d"));
        assertThat(ShellWords.split(" \t\n")).contains(List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"'a", "\"a", "a\\", "\"a\\"})
    void whatIsNotClosedIsNoLine(String text) {
        assertThat(ShellWords.split(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "", "it's", "$HOME", "a\"b", "x\\y", "'\"'", "#", "a;b"})
    void joinedWordsSplitIntoTheSameAgain(String word) {
        assertThat(ShellWords.split(ShellWords.joined(List.of("x", word, "y")))).contains(List.of("x", word, "y"));
    }
}
