package dev.execserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** House rules that can be read off the source files of all modules. */
class SourceTreeTest {
    private static final int MAX_LINES = 400;
    private static final Pattern SLEEP = Pattern.compile("\\bThread\\.sleep\\(|\\bTimeUnit\\.\\w+\\.sleep\\(");

    /** Beginning of a Javadoc that promises an answer instead of giving it. */
    private static final Pattern RIDDLE =
            Pattern.compile("/\\*\\*(\\s*\\n\\s*\\*)?\\s*(What|Who|Whether|Where|How|When|Whoever|That) ");

    /** Surefire runs in the module's folder. */
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @Test
    void everyPackageSaysItsJob() {
        Predicate<Path> unexplained = folder -> !Files.exists(folder.resolve("package-info.java"));
        assertThat(sources("src/main/java").map(Path::getParent).distinct().filter(unexplained))
                .isEmpty();
    }

    @Test
    void noFileIsTooLongToReadInOneGo() {
        Predicate<Path> tooLong = file -> lines(file).size() > MAX_LINES;
        assertThat(sources("src/main/java", "src/test/java").filter(tooLong)).isEmpty();
    }

    @Test
    void commentsBeginWithANounOrAVerb() {
        Predicate<Path> riddles =
                file -> RIDDLE.matcher(String.join("\n", lines(file))).find();
        assertThat(sources("src/main/java").filter(riddles)).isEmpty();
    }

    @Test
    void testsWaitForConditionsAndNeverSleep() {
        Predicate<Path> sleeps = file -> lines(file).stream().anyMatch(SLEEP.asPredicate());
        assertThat(sources("src/test/java").filter(sleeps)).isEmpty();
    }

    @Test
    void theWalkSeesTheModules() {
        assertThat(sources("src/main/java")
                        .map(file -> ROOT.relativize(file).getName(0).toString()))
                .contains("client", "helper");
    }

    private static Stream<Path> sources(String... folders) {
        return modules().stream()
                .flatMap(module -> Stream.of(folders).map(module::resolve))
                .filter(Files::isDirectory)
                .flatMap(SourceTreeTest::filesBelow)
                .filter(file -> file.toString().endsWith(".java"));
    }

    private static List<Path> modules() {
        try (Stream<Path> entries = Files.list(ROOT)) {
            return entries.filter(entry -> Files.exists(entry.resolve("pom.xml")))
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Stream<Path> filesBelow(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
