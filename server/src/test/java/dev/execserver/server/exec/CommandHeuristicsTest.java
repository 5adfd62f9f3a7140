package dev.execserver.server.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.rules.RuleDecision;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandHeuristicsTest {
    private static Optional<RuleDecision> judged(String line) {
        List<String> words = List.of(line.split(" "));
        return CommandHeuristics.judge(words.getFirst(), words.subList(1, words.size()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rm -rf x",
                "rm -f x",
                "rm -fr x",
                "rm -r -f x",
                "rm x -f",
                "rm --force x",
                "rm --forc x",
                "sudo rm -rf x",
                "sudo -u root -n /bin/rm -rf x",
                "git reset",
                "git rm x",
                "git -C . reset",
                "git -c a=b clean -fd",
                "git clean --force",
                "doas rm -f x"
            })
    void whatDestroysIsAskedAbout(String line) {
        assertThat(judged(line)).contains(RuleDecision.PROMPT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls -l", "cat /etc/passwd", "grep -rf x y", "find . -name x", "id", "echo rm -rf x", "wc"})
    void whatOnlyReadsIsAllowed(String line) {
        assertThat(judged(line)).contains(RuleDecision.ALLOW);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rm x",
                "rm -r x",
                "rm -- -f",
                "git status",
                "git clean -n",
                "git",
                "git -C",
                "sudo",
                "sudo -u",
                "sudo ls",
                "find . -delete",
                "find . -exec rm {} +",
                "sort -o x y",
                "env",
                "xargs rm",
                "sh -c x",
                "tee x"
            })
    void allElseIsLeftToTheFallback(String line) {
        assertThat(judged(line)).isEmpty();
    }
}
