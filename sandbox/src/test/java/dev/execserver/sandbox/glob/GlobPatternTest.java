package dev.execserver.sandbox.glob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobPatternTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "**/*.env | a.env | true",
                "**/*.env | x/y/z.env | true",
                "**/*.env | .env | true",
                "**/*.env | a.envx | false",
                "*.env    | a.env | true",
                "*.env    | x/a.env | false",
                "*.ENV    | a.env | false",
                "x/**     | x/a/b | true",
                "x/**     | xa | false",
                "a**b     | a/x/b | true",
                "a**b     | ab | true",
                "x/**/y   | x/y | true",
                "x/**/y   | x/a/b/y | true",
                "x/**/y   | xy | false",
                "?.key    | a.key | true",
                "?.key    | ü.key | true",
                "?.key    | /.key | false",
                "x?y      | x/y | false",
                "[a-c]x   | bx | true",
                "[a-c]x   | dx | false",
                "[!a-c]x  | dx | true",
                "[^a-c]x  | bx | false",
                "[ä-ö]    | ü | false",
                "[à-ü]    | ä | true",
                "[]]x     | ]x | true",
                "a[!b]c   | a/c | false",
                "[a-]x    | -x | true",
                "x[1.txt  | x[1.txt | true",
                "x[1.txt  | x1.txt | false",
                "a\\*b    | a*b | true",
                "a\\*b    | axb | false",
                "a\\      | a\\ | true",
                "*.{env,key} | a.env | true",
                "*.{env,key} | a.key | true",
                "*.{env,key} | a.{env,key} | true",
                "*.{env,key} | a.pem | false",
                "{a,b{c,d}}*x | bdx | true",
                "{a,*     | {a,z | true",
                "*        | x/y | false",
                "**       | x/y | true",
                "日?      | 日本 | true"
            })
    void theDialectIsThis(String pattern, String path, boolean matches) {
        GlobPattern glob = GlobPattern.compile(pattern, LinuxPath.of("/ws"), pattern);
        LinuxPath file = LinuxPath.of("/ws/" + path);
        assertThat(file.startsWith(glob.root()) && glob.matches(file.relativeTo(glob.root())))
                .isEqualTo(matches);
    }

    @Test
    void namesThatAreNotUtf8Match() {
        GlobPattern glob = GlobPattern.compile("*.key", LinuxPath.of("/ws"), "*.key");
        assertThat(glob.matches(new byte[] {(byte) 0xff, '.', 'k', 'e', 'y'})).isTrue();
        GlobPattern one = GlobPattern.compile("?.key", LinuxPath.of("/ws"), "?.key");
        assertThat(one.matches(new byte[] {(byte) 0xe4, '.', 'k', 'e', 'y'})).isTrue();
        GlobPattern set = GlobPattern.compile("[a-z].key", LinuxPath.of("/ws"), "[a-z].key");
        assertThat(set.matches(new byte[] {(byte) 0xe4, '.', 'k', 'e', 'y'})).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"/ws/a/**/*.env,/ws/a,**/*.env", "/ws/*.d/x,/ws,*.d/x", "/ws/./b//c?,/ws/b,c?", "/ws/plain,/ws/plain,''"
    })
    void theSearchStartsBeforeTheFirstWildcard(String pattern, String root, String relative) {
        GlobPattern glob = GlobPattern.compile(pattern, LinuxPath.ROOT, pattern);
        assertThat(glob.root()).isEqualTo(LinuxPath.of(root));
        assertThat(glob.relative()).isEqualTo(relative);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/**/*.env | the glob `/**/*.env` would be searched for in the whole file system; start it with a directory",
                "/ws/[z-a] | the glob `[z-a]` has the range `z-a`, which is empty; write the lower end first",
                "/ws/{..,a}/x | the glob `/ws/{..,a}/x` has `..` behind a wildcard",
                "/ws/*/../x | the glob `/ws/*/../x` has `..` behind a wildcard"
            })
    void whatCannotBeSearchedForIsRefused(String pattern, String text) {
        assertThatThrownBy(() -> GlobPattern.compile(pattern, LinuxPath.ROOT, pattern))
                .isInstanceOf(PolicyRefusedException.class)
                .hasMessage(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a,b} | a",
                "{a,b} | b",
                "{.env,*.pem} | x.pem",
                "{a,b}/x | b/x",
                "{sub/,}x | x",
                "{sub,}/x | x",
                "a{/,/b/}c | a/b/c",
                "{./a,b} | a",
                "{{a,b},c} | b",
                "x{y{a,b} | x{yb",
                "}{a,b}{ | }b{",
                "{a,b} | {a,b}"
            })
    void alternativesMatchAlsoWhereTheyBegin(String pattern, String path) {
        GlobPattern glob = GlobPattern.compile(pattern, LinuxPath.of("/ws"), pattern);
        assertThat(glob.matches(path.getBytes(StandardCharsets.UTF_8))).isTrue();
    }

    @Test
    void alternativesAreBounded() {
        String some = "{a,b,c}{a,b,c}{a,b,c}*";
        assertThat(GlobPattern.alternatives(some, some)).hasSize(28);
        String most = "{" + "x,".repeat(GlobPattern.MAX_ALTERNATIVES - 1) + "y}";
        assertThat(GlobPattern.alternatives(most, most)).containsExactly(most, "x", "y");
        for (String many : List.of(some + "{a,b,c}", "{y," + most.substring(1), "{a,a}".repeat(40))) {
            assertThatThrownBy(() -> GlobPattern.alternatives(many, many))
                    .hasMessage("the glob `" + many + "` stands for more than 64 patterns; split it");
        }
    }

    @Test
    void itsLengthIsBounded() {
        String longest = "{".repeat(GlobPattern.MAX_LENGTH / 2) + "}".repeat(GlobPattern.MAX_LENGTH / 2);
        assertTimeout(Duration.ofSeconds(20), () -> GlobPattern.compile(longest, LinuxPath.of("/ws"), longest));
        String more = longest + "x";
        assertThatThrownBy(() -> GlobPattern.compile(more, LinuxPath.of("/ws"), more))
                .hasMessageContaining("has 8193 characters, more than 8192");
    }

    @Test
    void matchingIsNotSlowForAnyPattern() {
        byte[] path = new byte[4000];
        Arrays.fill(path, (byte) 'a');
        GlobPattern glob = GlobPattern.compile("g", LinuxPath.of("/ws"), "*a".repeat(40) + "b");
        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> assertThat(glob.matches(path)).isFalse());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"**/*.env | /**/*.env", "x?[ab]ü.k | /x*", "a**b/c | /**", "x/a b{c}! | /x/a*b*c*", "x[1.txt | /x*"
            })
    void ripgrepIsAskedForMore(String pattern, String glob) {
        assertThat(RipgrepScan.widened(pattern)).isEqualTo(glob);
    }
}
