package dev.execserver.server.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("rules about programs")
class RuleSetTest {
    @Test
    void theStrictestOfAllMatchesDecides() {
        RuleSet rules = rules("""
                prefix_rule(["git"])
                prefix_rule(["git", "push"], "forbidden", justification="no pushes")
                prefix_rule(["git"], "prompt")
                """);
        List<RuleMatch> matches = rules.match(List.of("git", "push", "x"));
        assertThat(matches).hasSize(3);
        assertThat(RuleSet.strictest(matches)).contains(RuleDecision.FORBIDDEN);
        assertThat(matches.get(1).rule().origin()).hasToString("test.rules:2");
    }

    @Test
    void aLaterFileCannotLoosenAnEarlierOne() {
        RuleSet rules = new RuleFiles()
                .add("a", "prefix_rule(['rm'], 'forbidden')")
                .add("b", "prefix_rule(['rm'])")
                .rules();
        assertThat(RuleSet.strictest(rules.match(List.of("rm", "x")))).contains(RuleDecision.FORBIDDEN);
    }

    @Test
    void namesAreComparedWithoutCaseWhereTheRuleSaysSo() {
        RuleSet rules = rules("""
                prefix_rule(["GIT", "Push"], canonical_matching=True)
                prefix_rule(["git"], "prompt")
                """);
        assertThat(rules.match(List.of("git", "PUSH")))
                .extracting(match -> match.rule().decision(), RuleMatch::matchedPrefix)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(RuleDecision.PROMPT, List.of("git")),
                        org.assertj.core.groups.Tuple.tuple(RuleDecision.ALLOW, List.of("git", "PUSH")));
        assertThat(rules.match(List.of("Git", "pull"))).isEmpty();
    }

    @Test
    @Timeout(30)
    void aFifoIsRefusedAndNotWaitedFor(@TempDir Path folder) throws Exception {
        Path fifo = folder.resolve("a.rules");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();

        assertThatThrownBy(() -> new RuleFiles().add(fifo)).hasMessageContaining("failed to read policy at " + fifo);
    }

    @Test
    void anOpenFileOfTheShellIsRead() {
        assertThat(new RuleFiles().add(Path.of("/dev/null")).rules().rules()).isEmpty();
    }

    @Test
    void rulesWithAlternativesAreFoundByEachOfThem() {
        RuleSet rules = rules("""
                prefix_rule(["a", ["b", "c", "b"], ["d", "e"], "f"])
                prefix_rule(["a", ["1", "2", "3", "4", "5", "6", "7", "8", "9"], "x"])
                prefix_rule(["a"])
                prefix_rule(["a", "b", "d", "f", "g", "h"])
                """);
        assertThat(lines(rules, "a", "c", "e", "f")).containsExactly(1, 3);
        assertThat(lines(rules, "a", "b", "d", "f", "g", "h")).containsExactly(1, 3, 4);
        assertThat(lines(rules, "a", "9", "x")).containsExactly(2, 3);
        assertThat(lines(rules, "a", "b")).containsExactly(3);
        assertThat(lines(rules, "b")).isEmpty();
    }

    private static List<Integer> lines(RuleSet rules, String... command) {
        return rules.match(List.of(command)).stream()
                .map(match -> match.rule().origin().line())
                .toList();
    }

    @Test
    void aBaseNameStandsOnlyForThePathsThatAreListed() {
        RuleSet rules = rules("""
                prefix_rule(["git"])
                host_executable("git", ["/usr/bin/git"])
                """);
        assertThat(rules.match(List.of("/usr/bin/git"), "/usr/bin/git", rules::listedOrUnlisted))
                .singleElement()
                .satisfies(match -> assertThat(match.resolvedProgram()).contains("/usr/bin/git"));
        assertThat(rules.match(List.of("/tmp/git"), "/tmp/git", rules::listedOrUnlisted))
                .isEmpty();
    }

    @Test
    void networkRulesHaveTheirHostsInOneForm() {
        RuleSet rules = rules("""
                network_rule("API.Example.com.:443", "https_connect", "deny", "why")
                network_rule("[::1]:80", "http", "allow")
                """);
        assertThat(rules.network()).extracting(NetworkRule::host).containsExactly("api.example.com", "::1");
        assertThat(rules.network().getFirst().decision()).isEqualTo(RuleDecision.FORBIDDEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {":443", "127.1", "0x7f000001", "010.0.0.1", "b\u00fccher.example", "1::2::3", "fe80::1%eth0"})
    void aHostThatCanNeverMatchIsRefused(String host) {
        assertThatThrownBy(() -> rules("network_rule('" + host + "', 'http', 'allow')"))
                .hasMessageContaining("network_rule host can never match");
    }

    @Test
    void aNetworkRuleMayNameAProgramThatConnectsByItself() {
        RuleSet rules = rules("network_rule('a.example', 'socks5_tcp', 'allow', program='/usr/bin/psql')");
        assertThat(rules.network().getFirst().program()).contains("/usr/bin/psql");
        assertThatThrownBy(() -> rules("network_rule('a.example', 'socks5_tcp', 'allow', program='psql')"))
                .hasMessageContaining("program `psql` can never match: it must be an absolute path");
        assertThatThrownBy(() -> rules("network_rule('a.example', 'http', 'deny', program='/usr/bin/psql')"))
                .hasMessageContaining("can never match but with protocol socks5_tcp");
    }

    @Test
    void aFileThatHidesItsSizeIsReadToTheBoundOnly() {
        assertThatThrownBy(() -> new RuleFiles().add(Path.of("/dev/zero")))
                .isInstanceOf(RuleFileException.class)
                .hasMessageContaining("/dev/zero")
                .hasMessageContaining("more than");
    }

    @Test
    void tooManyRulesAreRefused() {
        assertThatThrownBy(() -> rules("for i in range(1000):\n    prefix_rule([['a'] * 101])"))
                .hasMessageContaining("more than 100000 rules");
    }

    @Test
    void tenThousandRulesAreAskedByTheirProgram() {
        RuleSet rules = rules(IntStream.range(0, 10_000)
                .mapToObj(i -> "prefix_rule(['p%d', 'x'])\n".formatted(i))
                .collect(Collectors.joining()));
        assertThat(rules.rules()).hasSize(10_000);
        assertThat(rules.match(List.of("p9999", "x", "y"))).hasSize(1);
        assertThat(rules.match(List.of("p9999", "z"))).isEmpty();
    }

    @Test
    void anExplanationNamesTheRuleOrWhatItWouldHaveNeeded() {
        RuleSet rules = rules("prefix_rule(['git', ['status', 'log'], 'x'], justification='fine')");
        List<String> matched = List.of("git", "log", "x");
        assertThat(Explanation.lines(rules, matched, rules.match(matched)))
                .containsExactly("git log x: allow", "  test.rules:1  allow  git log x  fine");
        List<String> other = List.of("git", "push");
        assertThat(Explanation.lines(rules, other, rules.match(other)))
                .containsExactly(
                        "git push: no rule matches",
                        "  test.rules:1  allow  does not match: word 2 is `push`, the rule needs `status` or `log`");
    }

    private static RuleSet rules(String text) {
        return new RuleFiles().add("test.rules", text).rules();
    }
}
