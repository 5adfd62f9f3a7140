package dev.execserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of threats in SECURITY.md names tests that exist. */
class SecurityPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:IT|Test))`");

    @Test
    void everyTestOfThePageExists() throws IOException {
        Set<String> named = TEST.matcher(Files.readString(ROOT.resolve("SECURITY.md")))
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toSet());

        assertThat(named).hasSizeGreaterThan(30);
        assertThat(tests()).containsAll(named);
    }

    private static Set<String> tests() throws IOException {
        try (Stream<Path> files = Files.find(
                ROOT,
                Integer.MAX_VALUE,
                (file, _) ->
                        file.toString().endsWith(".java") && file.toString().contains("/src/test/"))) {
            return files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toSet());
        }
    }
}
