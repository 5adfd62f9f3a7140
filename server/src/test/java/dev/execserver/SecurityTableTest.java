package dev.execserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests that SECURITY.md names exist. */
class SecurityTableTest {
    /** Surefire runs in the module's folder. */
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private static final Pattern TEST = Pattern.compile("`(\\w+(?:IT|Test))`");

    private static Set<String> named() throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher test = TEST.matcher(Files.readString(ROOT.resolve("SECURITY.md")));
        while (test.find()) {
            names.add(test.group(1) + ".java");
        }
        return names;
    }

    private static Set<String> existing() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().contains("src/test/java"))
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        assertThat(named()).hasSizeGreaterThan(10).isSubsetOf(existing());
    }

    @Test
    void everyRowOfAThingThatIsTrustedNamesATest() throws IOException {
        String text = Files.readString(ROOT.resolve("SECURITY.md"));
        String chapter = text.substring(text.indexOf("## What the server believes"), text.indexOf("## In a container"));
        assertThat(chapter.lines()
                        .filter(line -> line.chars().filter(c -> c == '|').count() == 5)
                        .filter(line -> !line.startsWith("| what |") && !line.startsWith("| ---")))
                .hasSizeGreaterThan(15)
                .allMatch(line -> TEST.matcher(line).find());
    }
}
