package dev.execserver.cli.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.cli.local.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of the client at the terminal of a remote program; ] stands for Ctrl-]. */
class EscapeKeysTest {
    private final List<EscapeKeys.Wish> wishes = new ArrayList<>();
    private final EscapeKeys keys = new EscapeKeys(Optional.of((byte) 0x1d), this::wish);

    private boolean wish(EscapeKeys.Wish wish) {
        wishes.add(wish);
        return wish != EscapeKeys.Wish.HELP;
    }

    private String typed(String... pieces) {
        StringBuilder got = new StringBuilder();
        for (String piece : pieces) {
            byte[] bytes = piece.replace(']', '\u001d').getBytes(ISO_8859_1);
            got.append(new String(keys.take(bytes, bytes.length), ISO_8859_1));
        }
        return got.toString().replace('\u001d', ']');
    }

    @ParameterizedTest
    @CsvSource({"ls, ls", "a]]b, a]b", "a]xb, a]xb", "]]d, ]d", "a]?b, ab"})
    void theProgramGetsWhatIsNotForThisOne(String keysTyped, String got) {
        assertThat(typed(keysTyped)).isEqualTo(got);
        assertThat(keys.over()).isFalse();
    }

    @Test
    void theKeysMayComeOneByOneAndWhatFollowsTheLastIsDropped() {
        assertThat(typed("x", "]", "?", "]", "d", "rest")).isEqualTo("x");
        assertThat(wishes).containsExactly(EscapeKeys.Wish.HELP, EscapeKeys.Wish.DETACH);
        assertThat(keys.over()).isTrue();
    }

    @Test
    void withoutAPrefixAllIsForTheProgram() {
        byte[] bytes = {0x1d, 'd', -1, 'd', -1, 'q', -1, -1, 0};
        assertThat(new EscapeKeys(Optional.empty(), this::wish).take(bytes, bytes.length))
                .isEqualTo(bytes);
        assertThat(wishes).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ctrl-a, 1, Ctrl-A", "^A, 1, Ctrl-A", "Ctrl-], 29, Ctrl-]", "^?, 127, Ctrl-?", "~, 126, ~", "^, 94, ^"})
    void theKeyIsChosen(String text, byte key, String name) {
        assertThat(chosen(text)).contains(key);
        assertThat(EscapeKeys.name(key)).isEqualTo(name);
    }

    @Test
    void noneIsAChoiceToo() {
        assertThat(chosen("none")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ctrl-", "ab", "ctrl-ab", "ä", "ctrl-1", "^é"})
    void otherTextsAreRefused(String text) {
        assertThatThrownBy(() -> chosen(text))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("for --escape; give ctrl-KEY, ^KEY, a character or none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"d", "q", "?"})
    void aKeyThatHasAMeaningBehindThePrefixIsNoPrefix(String text) {
        assertThatThrownBy(() -> chosen(text))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "invalid value `%s` for --escape; give another key than d, q and ?".formatted(text));
    }

    private static Optional<Byte> chosen(String text) {
        return EscapeKeys.prefix(new Arguments(Map.of(ClientOption.ESCAPE, List.of(text)), List.of()));
    }
}
