package dev.execserver.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Agreement of the quick reader with picocli. */
class ArgumentsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ls",
                "-- ls -l",
                "ls -- -l",
                "--url ws://h:1 ls --url x",
                "--tty --verbose -- sh -c x x",
                "--env A=b --env C=d ls ls",
                "--cwd /x --timeout 1s --session-ttl 0 --no-tty ls @file",
            })
    void bothReadersReadRunAlike(String line) {
        assertAlike(RunCommand.USAGE, line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--session s run", "run --session s", "--session s --grace 2s -- run", "--takeover a b"})
    void bothReadersReadKillAlike(String line) {
        assertAlike(KillCommand.USAGE, line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--bogus ls", "--cwd", "--tty --tty ls", "-x", "--cwd /a --cwd /b ls"})
    void whatIsWrongIsLeftToPicocliWhichSaysSo(String line) {
        List<String> words = List.of(line.split(" "));

        assertThat(Arguments.read(RunCommand.USAGE, words)).isEmpty();
        assertThatThrownBy(() -> PicocliReading.of(RunCommand.USAGE, words))
                .isInstanceOf(CommandLine.ParameterException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--url=ws://h:1 ls", "--cwd=/x -- ls"})
    void picocliKnowsFurtherSpellings(String line) {
        List<String> words = List.of(line.split(" "));

        assertThat(Arguments.read(RunCommand.USAGE, words)).isEmpty();
        assertThat(PicocliReading.of(RunCommand.USAGE, words).operands()).containsExactly("ls");
    }

    private static void assertAlike(Usage usage, String line) {
        List<String> words = List.of(line.split(" "));

        assertThat(Arguments.read(usage, words)).contains(PicocliReading.of(usage, words));
    }
}
