package dev.execserver.server.rules.starlark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
@DisplayName("a rules file cannot take the server's memory, stack or time")
class BudgetTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "def f(): return f() ;; f() | calls are nested more than",
                "x = 'a' * 2000000 | characters or elements",
                "x = [0] * 2000000 | characters or elements",
                "x = 'a' * (1 << 100) | characters or elements",
                "x = 1 << 100000 | bits",
                "x = 1 << (1 << 80) | bits",
                "def f(n): return n * n ;; x = 3 ;; for i in range(100): ;;   x = f(x) | bits",
                "x = 'a' ;; for i in range(100): ;;   x = x + x | characters",
                "x = ['a' * 1000] ;; for i in range(100): ;;   x = x + x | characters",
                "x = 'ab'.replace('', 'c' * 900000) | characters",
                "x = ('a' * 1000).join(['b'] * 2000) | characters",
                "x = '%s%s' % ('a' * 900000, 'b' * 900000) | characters",
                "x = [0] ;; for i in range(2000000): ;;   x.append(i) | more than",
                "x = [i for i in range(2000000)] | more than",
                "for i in range(2000000000): ;;   pass | steps",
                "for i in range(2000000000): ;;   for j in range(2000000000): ;;     pass | steps",
            })
    void aBoundEndsTheProgram(String text, String message) {
        String program = text.replaceAll(" *;; ?", "\n");
        assertThatThrownBy(() -> Ran.output(program))
                .isInstanceOf(StarlarkException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x == y", "x < y", "x in [y]", "repr(x)", "'%s' % [x]"})
    void aValueThatHoldsItselfManyTimesEndsTheProgram(String use) {
        String doubled = "x = [1]\ny = [1]\nfor i in range(30):\n  x = [x, x]\n  y = [y, y]\nout(" + use + ")\n";
        assertThatThrownBy(() -> Ran.output(doubled))
                .isInstanceOf(StarlarkException.class)
                .hasMessageContaining("more than");
    }

    @Test
    void aKeyThatHoldsItselfManyTimesEndsTheProgram() {
        assertThatThrownBy(() -> Ran.output("x = (1,)\nfor i in range(30):\n  x = (x, x)\nout({x: 1})\n"))
                .isInstanceOf(StarlarkException.class)
                .hasMessageContaining("more than");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1 in x",
                "x == y",
                "x < y",
                "max(x)",
                "sorted(x)",
                "x.index(99999)",
                "x.remove(99999)",
                "x[1:2]",
                "'b' in z",
                "z == z",
                "z.find('b')",
                "z[1]",
                "z[1:2]",
                "hash(z)",
                "[x] == [y]"
            })
    void whatGoesThroughManyElementsTakesManySteps(String use) {
        Budget budget = new Budget();
        String program = "x = list(range(100000))\ny = list(range(100000))\nz = 'a' * 100000\n" + use;

        Program.read("test", program, List.of()).run(budget);

        assertThat(budget.steps()).isGreaterThan(100_000 / Budget.ELEMENTS_PER_STEP);
    }

    @ParameterizedTest
    @ValueSource(strings = {"len(x)", "x[5]", "y.get(5)", "5 in y", "x.pop()", "type(x)"})
    void whatLooksAtOneElementOfManyIsOneStep(String use) {
        Ran.output("x = list(range(20000))\ny = {i: i for i in range(20000)}\nfor i in range(10000):\n  " + use + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[", "-", "not ", "lambda: ", "{1: ", "f("})
    void deepNestingInTheSourceIsRefused(String begin) {
        assertThatThrownBy(() -> Ran.output("x = " + begin.repeat(10_000)))
                .isInstanceOf(StarlarkException.class)
                .hasMessageContaining("nested more than");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1+", "a.b + a", "f()()() or ", "0 and ", "elif"})
    void aLongRowInTheSourceIsRefusedWithItsPlace(String row) {
        String program = row.equals("elif")
                ? "if 1:\n  pass\n" + "elif 0:\n  pass\n".repeat(40_000)
                : "def f():\n  pass\nx = " + row.repeat(100_000) + "1\n";

        assertThatThrownBy(() -> Ran.output(program))
                .isInstanceOfSatisfying(
                        StarlarkException.class,
                        error -> assertThat(error.line()).isPositive())
                .hasMessageContaining("nested more than");
    }

    @ParameterizedTest
    @ValueSource(strings = {".b", "()", "[0]"})
    void manyPartsBehindOneAnotherAreRefused(String part) {
        assertThatThrownBy(() -> Ran.output("def f():\n  pass\nx = f" + part.repeat(400_000) + "\n"))
                .isInstanceOf(StarlarkException.class)
                .hasMessageContaining("nested more than");
    }

    @Test
    void callsWithinDeepBlocksDoNotTakeTheStack() {
        StringBuilder deep = new StringBuilder("def f(n):\n");
        for (int i = 1; i < 90; i++) {
            deep.append(" ".repeat(i)).append("if 1:\n");
        }
        deep.append(" ".repeat(90)).append("return f(n)\nf(1)\n");

        assertThatThrownBy(() -> Ran.output(deep.toString()))
                .isInstanceOf(StarlarkException.class)
                .hasMessageContaining("nested more than");
    }

    @Test
    void callsWithinDeepExpressionsDoNotTakeTheStack() {
        String deep = "def f(n):\n  return " + "(1 + ".repeat(90) + "f(n)" + ")".repeat(90) + "\nf(1)\n";

        assertThatThrownBy(() -> Ran.output(deep))
                .isInstanceOf(StarlarkException.class)
                .hasMessageContaining("nested more than");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "y in x",
                "x.find(y)",
                "x.rfind('b' + x[1:])",
                "x.count(y)",
                "x.replace(y, '')",
                "x.split(y)",
                "x.rsplit('b' + x[1:])",
                "x.partition(y)",
                "x.strip(y)",
                "('a ' * 400000).split()",
                "(' a' * 400000).rsplit()"
            })
    void aSearchTakesTimeByTheLengthsAndNotByTheirProduct(String use) {
        Ran.output("x = 'a' * 900000\ny = 'a' * 450000 + 'b'\n" + use + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x = [] ;; x.append(x) ;; out(x)", "x = {} ;; x['a'] = x ;; out(x)"})
    void whatContainsItselfCanBeShown(String text) {
        Ran.output(text.replaceAll(" *;; ?", "\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x = [] ;; x.append(x) ;; y = [] ;; y.append(y) ;; out(x == y)",
                "x = [] ;; x.append(x) ;; y = [] ;; y.append(y) ;; out(x < y)"
            })
    void whatContainsItselfCannotBeCompared(String text) {
        assertThatThrownBy(() -> Ran.output(text.replaceAll(" *;; ?", "\n"))).hasMessageContaining("nested more than");
    }
}
