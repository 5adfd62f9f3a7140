package dev.execserver.server.rules.starlark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatterTest {
    private static String format(String text) {
        String made = Formatter.format("a.rules", text);
        assertThat(Formatter.format("a.rules", made)).isEqualTo(made);
        return made;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "prefix_rule( [ 'a','b' ],decision = 'allow' )|prefix_rule(['a', 'b'], decision='allow')",
                "x=1+2 *-3|x = 1 + 2 * -3",
                "y = a [1 : 2] [ 0 ]|y = a[1:2][0]",
                "d={'a' :1,'b':[ ]}|d = {'a': 1, 'b': []}",
                "f(*a,** b)|f(*a, **b)",
                "t = (1 ,)|t = (1,)",
                "g = lambda x,y:x if x else - y|g = lambda x, y: x if x else -y",
                "z = [ x for x in (1,2)if not x ]|z = [x for x in (1, 2) if not x]"
            })
    void wordsGetTheUsualBlanks(String written, String laid) {
        assertThat(format(written)).isEqualTo(laid + "\n");
    }

    @Test
    void blocksAreIndentedByFourAndEmptyLinesAreSingle() {
        assertThat(format("\n\nfor t in ['a']:\n  if t:\n     f(t)\n  # of the loop\n\n\n\n# of the file\ng()\n\n"))
                .isEqualTo("for t in ['a']:\n    if t:\n        f(t)\n    # of the loop\n\n# of the file\ng()\n");
    }

    @Test
    void aCallThatIsTooLongHasOneArgumentALine() {
        String words = "'" + "w".repeat(40) + "'";
        assertThat(format("prefix_rule([" + words + ", " + words + "], decision='prompt', match=[])"))
                .isEqualTo("prefix_rule(\n    [" + words + ", " + words
                        + "],\n    decision='prompt',\n    match=[],\n)\n");
    }

    @Test
    void aCallThatEndsWithACommaKeepsItsLines() {
        assertThat(format("f(a, b,)\n")).isEqualTo("f(\n    a,\n    b,\n)\n");
    }

    @Test
    void bracketsAroundOneLongValueDoNotBecomeATuple() {
        String word = "'" + "w".repeat(99) + "'";
        assertThat(format("x = (" + word + ")")).isEqualTo("x = (\n    " + word + "\n)\n");
        assertThat(format("x = d[" + word + "]")).isEqualTo("x = d[\n    " + word + "\n]\n");
        assertThat(format("f(" + word + ")")).isEqualTo("f(\n    " + word + ",\n)\n");
        assertThat(format("l = [a for a in " + word + "]")).isEqualTo("l = [\n    a for a in " + word + "\n]\n");
    }

    @Test
    void commentsStayWhereTheyAre() {
        assertThat(format("#!first  \nf(1)   # behind\ng([\n  1, # one\n])\n# last"))
                .isEqualTo("#!first\nf(1)  # behind\ng([\n  1, # one\n])\n# last\n");
    }

    @Test
    void textsOfSeveralLinesStay() {
        String text = "f(\"\"\"a\n   b\"\"\",  1)\n";

        assertThat(format(text)).isEqualTo(text);
    }

    @Test
    void aFileThatIsNoProgramIsNotLaidOut() {
        assertThatThrownBy(() -> format("f(")).isInstanceOf(StarlarkException.class);
    }
}
