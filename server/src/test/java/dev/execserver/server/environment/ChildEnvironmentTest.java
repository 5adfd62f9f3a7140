package dev.execserver.server.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.process.EnvPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ChildEnvironmentTest {
    private static final Map<String, String> SERVER = Map.ofEntries(
            Map.entry("HOME", "/home/u"),
            Map.entry("LANG", "C"),
            Map.entry("LC_ALL", "C"),
            Map.entry("LC_CTYPE", "C"),
            Map.entry("LC_TIME", "C"),
            Map.entry("LOGNAME", "u"),
            Map.entry("PATH", "/bin"),
            Map.entry("SHELL", "/bin/bash"),
            Map.entry("TEMP", "/t1"),
            Map.entry("TMP", "/t2"),
            Map.entry("TMPDIR", "/t3"),
            Map.entry("USER", "u"),
            Map.entry("TERM", "xterm"),
            Map.entry("path", "lower"),
            Map.entry("API_KEY", "k"),
            Map.entry("monkey", "m"),
            Map.entry("MySecretName", "s"),
            Map.entry("GITHUB_TOKEN", "t"),
            Map.entry("PASSWORD", "p"),
            Map.entry("GITHUB_PAT", "g"),
            Map.entry("CODEX_HOME", "/c"),
            Map.entry("CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE", "true"),
            Map.entry("CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN", "n"));

    private static final String CORE = "HOME LANG LC_ALL LC_CTYPE LOGNAME PATH SHELL TEMP TMP TMPDIR USER";
    private static final String REST = "CODEX_HOME GITHUB_PAT LC_TIME PASSWORD TERM path";
    private static final String SECRETS = "API_KEY GITHUB_TOKEN MySecretName monkey";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void keepsExactlyTheseNames(String rule, EnvPolicy policy, Map<String, String> env, String expectedNames) {
        assertThat(ChildEnvironment.compute(Optional.of(policy), env, SERVER).keySet())
                .containsExactlyInAnyOrder(expectedNames.isEmpty() ? new String[0] : expectedNames.split(" "));
    }

    static Stream<Arguments> keepsExactlyTheseNames() {
        return Stream.of(
                row("none: nothing", none(), ""),
                row("core: the core names, not TERM, not another letter case", core(), CORE),
                row("all: everything but secrets", all(), CORE + " " + REST),
                row("all without the default excludes", everything(), CORE + " " + REST + " " + SECRETS),
                row("exclude a name", exclude("TERM"), without("TERM")),
                row("exclude ignores letter case", exclude("term"), without("TERM")),
                row("exclude matches both spellings of a name", exclude("PATH"), without("PATH", "path")),
                row("exclude by a prefix", exclude("LC_*"), without("LC_ALL", "LC_CTYPE", "LC_TIME")),
                row("exclude by a suffix", exclude("*_PAT"), without("GITHUB_PAT")),
                row("exclude by a middle", exclude("*TM*"), without("TMP", "TMPDIR")),
                row("exclude means whole names", exclude("TMP"), without("TMP")),
                row("a question mark is exactly one character", exclude("TE?P"), without("TEMP")),
                row("two question marks are exactly two", exclude("T??"), without("TMP")),
                row("stars and question marks together", exclude("?M*"), without("TMP", "TMPDIR")),
                row("a lone star excludes everything", exclude("*"), ""),
                row("an empty pattern excludes nothing", exclude(""), CORE + " " + REST),
                row("brackets are no wildcard", exclude("[T]ERM"), CORE + " " + REST),
                row(
                        "several patterns",
                        exclude("LC_*", "TERM", "nothing"),
                        without("LC_ALL", "LC_CTYPE", "LC_TIME", "TERM")),
                row(
                        "set is exempt from the default excludes and from exclude",
                        new EnvPolicy(
                                EnvPolicy.Inherit.NONE,
                                false,
                                List.of("*"),
                                Map.of("MY_TOKEN", "1", "OTHER", "2"),
                                List.of()),
                        "MY_TOKEN OTHER"),
                row(
                        "includeOnly keeps matching names, of set too",
                        new EnvPolicy(
                                EnvPolicy.Inherit.ALL,
                                false,
                                List.of(),
                                Map.of("LC_NEW", "1", "OTHER", "2"),
                                List.of("lc_*", "HOME")),
                        "HOME LC_ALL LC_CTYPE LC_NEW LC_TIME"),
                row(
                        "includeOnly brings nothing back",
                        new EnvPolicy(
                                EnvPolicy.Inherit.ALL,
                                false,
                                List.of("HOME"),
                                Map.of(),
                                List.of("API_KEY", "HOME", "USER")),
                        "USER"),
                Arguments.of(
                        "env is laid over it, unfiltered",
                        new EnvPolicy(EnvPolicy.Inherit.ALL, false, List.of("*"), Map.of(), List.of("HOME")),
                        Map.of("API_KEY", "1", "X", "2"),
                        "API_KEY X"),
                Arguments.of(
                        "the names that are always removed cannot come from set or env either",
                        new EnvPolicy(
                                EnvPolicy.Inherit.NONE,
                                true,
                                List.of(),
                                Map.of("CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN", "1"),
                                List.of()),
                        Map.of("CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE", "1", "CODEX_HOME", "2"),
                        "CODEX_HOME"));
    }

    @Test
    void withoutAPolicyTheChildGetsExactlyItsEnv() {
        assertThat(ChildEnvironment.compute(Optional.empty(), Map.of("A", "1", "MY_KEY", "2"), SERVER))
                .containsExactly(Map.entry("A", "1"), Map.entry("MY_KEY", "2"));
    }

    @Test
    void withoutAPolicyTheAlwaysRemovedNamesAreRemovedToo() {
        assertThat(ChildEnvironment.compute(
                        Optional.empty(), Map.of("CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN", "1"), SERVER))
                .isEmpty();
    }

    @Test
    void laterStepsWinOverEarlierOnes() {
        EnvPolicy policy = new EnvPolicy(
                EnvPolicy.Inherit.CORE, false, List.of(), Map.of("HOME", "/set", "USER", "set"), List.of());

        assertThat(ChildEnvironment.compute(Optional.of(policy), Map.of("USER", "env"), SERVER))
                .containsEntry("HOME", "/set")
                .containsEntry("USER", "env")
                .containsEntry("PATH", "/bin");
    }

    @Test
    void doesWhatTheRealClientAsksFor() {
        EnvPolicy policy = new EnvPolicy(
                EnvPolicy.Inherit.ALL,
                true,
                List.of("CODEX_HOME", "CODEX_A", "CODEX_B", "CODEX_C"),
                Map.of(),
                List.of());

        assertThat(ChildEnvironment.compute(Optional.of(policy), Map.of("TERM", "dumb", "PAGER", "cat"), SERVER))
                .containsEntry("TERM", "dumb")
                .containsEntry("PAGER", "cat")
                .containsEntry("GITHUB_TOKEN", "t")
                .doesNotContainKey("CODEX_HOME");
    }

    @Test
    void aHostilePatternIsMatchedInReasonableTime() {
        String stars = "*a".repeat(2_000) + "b";
        String name = "a".repeat(4_000);

        assertThat(new NamePattern(stars).matches(name)).isFalse();
    }

    @Test
    void rendersEntriesForExecve() {
        assertThat(ChildEnvironment.entries(
                        ChildEnvironment.compute(Optional.empty(), Map.of("B", "x=y", "A", ""), Map.of())))
                .containsExactly("A=", "B=x=y");
    }

    private static Arguments row(String rule, EnvPolicy policy, String expected) {
        return Arguments.of(rule, policy, Map.of(), expected);
    }

    private static EnvPolicy none() {
        return inherit(EnvPolicy.Inherit.NONE, false);
    }

    private static EnvPolicy core() {
        return inherit(EnvPolicy.Inherit.CORE, false);
    }

    private static EnvPolicy all() {
        return inherit(EnvPolicy.Inherit.ALL, false);
    }

    private static EnvPolicy everything() {
        return inherit(EnvPolicy.Inherit.ALL, true);
    }

    private static EnvPolicy inherit(EnvPolicy.Inherit inherit, boolean ignoreDefaultExcludes) {
        return new EnvPolicy(inherit, ignoreDefaultExcludes, List.of(), Map.of(), List.of());
    }

    private static EnvPolicy exclude(String... patterns) {
        return new EnvPolicy(EnvPolicy.Inherit.ALL, false, List.of(patterns), Map.of(), List.of());
    }

    private static String without(String... names) {
        List<String> removed = List.of(names);
        return String.join(
                " ",
                Stream.of((CORE + " " + REST).split(" "))
                        .filter(name -> !removed.contains(name))
                        .toList());
    }
}
