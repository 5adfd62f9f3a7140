package dev.execserver.server.rules.starlark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("the language of rules files")
class LanguageTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1 + 2 * 3 | 7",
                "(1 + 2) * 3 | 9",
                "-7 // 2 | -4",
                "-7 % 3 | 2",
                "7 / 2 | 3.5",
                "1 << 70 | 1180591620717411303424",
                "0x1F + 0o17 + 0b11 | 49",
                "~5 & 0xFF ^ 1 | 251",
                "1 == 1.0 | True",
                "not 1 in [1] | False",
                "1 not in [2] | True",
                "1 if [] else 2 | 2",
                "'' or 'x' | \"x\"",
                "0 and fail() | 0",
                "'a' 'b'.upper() if False else 'c' | error",
                "'abc'[-1] | \"c\"",
                "'abcde'[1:4] | \"bcd\"",
                "'abcde'[::-2] | \"eca\"",
                "[1, 2, 3][:-1] | [1, 2]",
                "(1,) | (1,)",
                "() | ()",
                "{'a': 1, 'b': [2]} | {\"a\": 1, \"b\": [2]}",
                "[x * y for x in [1, 2] for y in [3, 4] if x + y != 5] | [3, 8]",
                "{k: len(k) for k in ['a', 'bb']} | {\"a\": 1, \"bb\": 2}",
                "'%s-%d-%r-%x' % ('a', 5, 'b', 255) | \"a-5-\\\"b\\\"-ff\"",
                "'{} {x} {{}}'.format(1, x='y') | \"1 y {}\"",
                "'{1}{0}'.format('a', 'b') | \"ba\"",
                "'a,b,c'.split(',', 1) | [\"a\", \"b,c\"]",
                "'a,b,c'.rsplit(',', 1) | [\"a,b\", \"c\"]",
                "' a  b '.split() | [\"a\", \"b\"]",
                "'aXbXc'.replace('X', '-', 1) | \"a-bXc\"",
                "'-'.join(['a', 'b']) | \"a-b\"",
                "'a=b'.partition('=') | (\"a\", \"=\", \"b\")",
                "'abc'.find('c') | 2",
                "'xyx'.count('x') | 2",
                "' x '.strip() | \"x\"",
                "'hello world'.title() | \"Hello World\"",
                "'abc'.startswith(('x', 'a')) | True",
                "sorted([3, 1, 2], reverse=True) | [3, 2, 1]",
                "sorted(['bb', 'a'], key=len) | [\"a\", \"bb\"]",
                "max([1, 5, 3]) | 5",
                "min('b', 'a') | \"a\"",
                "list(range(5, 0, -2)) | [5, 3, 1]",
                "range(10)[2:4] | range(2, 4)",
                "list(enumerate(['a'], 1)) | [(1, \"a\")]",
                "zip([1, 2], ['a', 'b', 'c']) | [(1, \"a\"), (2, \"b\")]",
                "dict([('a', 1)], b=2) | {\"a\": 1, \"b\": 2}",
                "int('ff', 16) | 255",
                "int('-12') | -12",
                "float('1e3') | 1000.0",
                "str(1.5) + repr('a') | \"1.5\\\"a\\\"\"",
                "type('') + type(1) + type(None) + type(len) | \"stringintNoneTypefunction\"",
                "hash('a') | 97",
                "any([0, 1]) and all([1, []]) | False",
                "hasattr('', 'join') | True",
                "getattr('a', 'upper')() | \"A\"",
                "chr(8364) + 'ä' | \"€\\xe4\"",
                "ord('€') | 8364",
                "len('€😀') | 2",
                "'€😀'[1] | \"\\U0001f600\"",
                "'\\q\\n\\x41\\u0042' | \"\\\\q\\nAB\"",
                "r'\\n' | \"\\\\n\"",
                "b'a\\xff' | b\"a\\xff\"",
                "bytes([65, 66]) | b\"AB\"",
                "f'{1 + 1} {\"x\"} {{y}}' | \"2 x {y}\"",
                "repr('\\u200b') | \"\\\"\\\\u200b\\\"\"",
                "(lambda x, y=2: x * y)(3) | 6",
                "dir([])[0] | \"append\"",
                "abs(-3) | 3",
                "[1] * 3 | [1, 1, 1]",
                "[1, 2] < [1, 3] | True",
                "1e100 | 1e+100",
            })
    void expressionsHaveTheirValues(String expression, String value) {
        if (value.equals("error")) {
            assertThatThrownBy(() -> Ran.output("out(" + expression + ")")).isInstanceOf(StarlarkException.class);
        } else {
            assertThat(Ran.output("out(" + expression + ")")).containsExactly(value);
        }
    }

    @Test
    void dictsAreJoinedByABar() {
        assertThat(Ran.output("out({'a': 1} | {'a': 2, 'b': 3})")).containsExactly("{\"a\": 2, \"b\": 3}");
    }

    @Test
    void functionsHaveDefaultsRestsAndNames() {
        String text = """
                def f(a, b=2, *rest, c, **names):
                    return (a, b, rest, c, names)
                out(f(1, c=3))
                out(f(1, 5, 6, 7, c=3, d=4))
                out(f(*[1, 2], **{"c": 3}))
                """;
        assertThat(Ran.output(text))
                .containsExactly("(1, 2, (), 3, {})", "(1, 5, (6, 7), 3, {\"d\": 4})", "(1, 2, (), 3, {})");
    }

    @Test
    void closuresSeeTheNamesAroundThem() {
        String text = """
                def outer(x):
                    def inner(y):
                        return x + y
                    return inner
                out(outer(1)(2))
                """;
        assertThat(Ran.output(text)).containsExactly("3");
    }

    @Test
    void loopsBreakAndContinue() {
        String text = """
                found = []
                for i in range(10):
                    if i == 2:
                        continue
                    elif i == 5:
                        break
                    else:
                        found += [i]
                out(found)
                a, (b, c) = 1, [2, 3]
                d = {"x": [0]}
                d["x"][0] += 7
                out([a, b, c, d])
                """;
        assertThat(Ran.output(text)).containsExactly("[0, 1, 3, 4]", "[1, 2, 3, {\"x\": [7]}]");
    }

    @Test
    void popitemTakesTheFirstEntry() {
        assertThat(Ran.output("d = {1: 2, 3: 4}\nout(d.popitem())\nout(d)")).containsExactly("(1, 2)", "{3: 4}");
    }

    @Test
    void linesMayEndWithCarriageReturns() {
        assertThat(Ran.output("x = '''a\r\nb'''\r\nout(x)\r\n")).containsExactly("\"a\\nb\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x = 1,",
                "x = y = 1",
                "1 < 2 < 3",
                "out(*[1], x=2)",
                "while True:\n  pass",
                "class A:\n  pass",
                "import os",
                "x = 'a' 'b'",
                "x = 08",
                "x =\t1",
                "é = 1",
                "x = 1\u00A0",
                "\uFEFFx = 1",
                "x = 1\r",
                "x = 'unfinished",
                "return 1",
                "break",
                "def f(a, a):\n  pass",
                "if True:\nout(1)",
                "  x = 1\n y = 2",
                "1 = x",
                "x = f'{'",
                "x = f'}'",
                "x = '\\u12'",
                "def f():\n  return undefined_name",
                "print(1)",
                "load('a', 'b')",
            })
    void whatIsNoProgramIsRefusedBeforeItRuns(String text) {
        assertThatThrownBy(() -> Program.read("test.rules", text, List.of())).isInstanceOf(StarlarkException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1 + 'a' | Operation `+` not supported for types `int` and `string`",
                "[][0] | Index `0` is out of bound",
                "{}['a'] | Key `\"a\"` was not found",
                "{1: 2, 1.0: 3} | Key repeated in dict literal: 1.0",
                "1 // 0 | Integer division by zero: 1 // 0",
                "len() | Missing positional parameter `x` for call to `len`",
                "len(1) | Operation `(iter)` not supported on type `int`",
                "'a'.nothing | Object of type `string` has no attribute `nothing`",
                "{[]: 1} | Value of type `list` is not hashable",
                "fail('a', 1) | fail: a 1",
                "int('x') | Cannot parse `x` as an integer in base 10",
                "None() | Operation `call()` not supported on type `NoneType`",
            })
    void errorsNameWhatIsWrong(String expression, String message) {
        assertThatThrownBy(() -> Ran.output("out(" + expression + ")")).hasMessage(message);
    }

    @Test
    void anErrorTellsItsPlaceAndTheCallsThatLedThere() {
        String text = "def f(x):\n    return x + 1\n\nf('€')\n";
        assertThatThrownBy(() -> Ran.output(text)).isInstanceOfSatisfying(StarlarkException.class, error -> {
            assertThat(error.line()).isEqualTo(2);
            assertThat(error.column()).isEqualTo(12);
            assertThat(error.describe()).isEqualTo("""
                    Traceback (most recent call last):
                      * test.rules:4, in <module>
                          f('€')
                    error: Operation `+` not supported for types `string` and `int`
                     --> test.rules:2:12
                      |
                    2 |     return x + 1
                      |            ^^^^^
                      |""");
        });
    }

    @Test
    void aNameThatTheFileAssignsLaterIsNotTheBuiltinBefore() {
        assertThatThrownBy(() -> Ran.output("out(1)\nout = 2"))
                .hasMessage("Local variable `out` referenced before assignment");
    }

    @Test
    void annotationsAreChecked() {
        String text = """
                def f(x: str, y: list[int] | None = None) -> int:
                    return len(x)
                out(f("ab", [1]))
                """;
        assertThat(Ran.output(text)).containsExactly("2");
        assertThatThrownBy(() -> Ran.output(text + "f(1)"))
                .hasMessage("Value `1` of type `int` does not match the type annotation `str` for argument `x`");
        assertThatThrownBy(() -> Ran.output(text + "f('a', ['b'])")).hasMessageContaining("`list[int] | None`");
    }

    @Test
    void aListCannotBeChangedWhileALoopRunsOverIt() {
        assertThatThrownBy(() -> Ran.output("x = [1]\nfor i in x:\n    x.append(i)"))
                .hasMessageContaining("mutates an iterable");
    }
}
