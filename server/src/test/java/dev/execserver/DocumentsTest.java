package dev.execserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** House rules for the documents in the root and in docs/. */
class DocumentsTest {
    private static final int MAX_README_LINES = 150;
    private static final int MAX_GLOSSARY_TERMS = 40;
    private static final Pattern FENCED = Pattern.compile("^```.*?^```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ +(.+)$", Pattern.MULTILINE);

    /** Surefire runs in the module's folder. */
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @Test
    void everyLinkLeadsToAFileAndAHeading() {
        List<String> broken = new ArrayList<>();
        pages().forEach(page -> LINK.matcher(prose(page))
                .results()
                .map(link -> link.group(1))
                .filter(target -> !target.matches("[a-z]+:.*"))
                .filter(target -> !resolves(page, target))
                .forEach(target -> broken.add(ROOT.relativize(page) + ": " + target)));
        assertThat(broken).isEmpty();
    }

    @Test
    void theIndexNamesEveryPage() {
        String index = read(ROOT.resolve("docs/README.md"));
        assertThat(pages())
                .filteredOn(page -> page.getParent().endsWith("docs") && !page.endsWith("docs/README.md"))
                .allSatisfy(page -> assertThat(index).contains("(" + page.getFileName() + ")"));
    }

    @Test
    void theReadmeCanBeReadInOneGo() {
        assertThat(read(ROOT.resolve("README.md")).lines().count()).isLessThanOrEqualTo(MAX_README_LINES);
    }

    @Test
    void theGlossaryStaysShort() {
        long rows = read(ROOT.resolve("docs/glossary.md"))
                .lines()
                .filter(line -> line.startsWith("| "))
                .count();
        assertThat(rows - 2).as("terms, without the head").isBetween(1L, (long) MAX_GLOSSARY_TERMS);
    }

    private static List<Path> pages() {
        try (Stream<Path> root = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(root, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static boolean resolves(Path page, String target) {
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        Path path = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        return Files.exists(path) && (hash < 0 || anchors(path).contains(target.substring(hash + 1)));
    }

    /** The anchors that GitHub makes of headings: lower case, blanks become dashes, punctuation goes. */
    private static List<String> anchors(Path page) {
        return HEADING.matcher(prose(page)).results().map(DocumentsTest::anchor).toList();
    }

    private static String anchor(MatchResult heading) {
        return heading.group(1)
                .strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    private static String prose(Path page) {
        return FENCED.matcher(read(page)).replaceAll("");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
