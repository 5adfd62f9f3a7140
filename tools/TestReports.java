import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Counts the test reports of all modules, repeats failures and skips at the end of a long log, and prints
 * {@code N passed, N failed, N skipped}. Exits with 1 if a test failed, none passed, or one was skipped that
 * {@code bin/expected-skips} does not list. Also names the tests that passed only when they were run again, which Maven
 * allows a few integration tests.
 *
 * <p>Usage: {@code java TestReports.java REPOSITORY [PACKAGE]}; all tests of that package may be skipped.
 */
final class TestReports {
    private final Set<String> expectedSkips;
    private final String optional;
    private final List<String> complaints = new ArrayList<>();
    private final List<String> flakes = new ArrayList<>();
    private int passed;
    private int failed;
    private int skipped;

    private TestReports(Set<String> expectedSkips, String optional) {
        this.expectedSkips = expectedSkips;
        this.optional = optional;
    }

    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]);
        String optional = args.length > 1 ? args[1] + "." : "";
        TestReports reports = new TestReports(readSkips(root.resolve("bin/expected-skips")), optional);
        for (Path file : reportsBelow(root)) {
            reports.count(file);
        }
        reports.flakes.forEach(System.out::println);
        reports.complaints.forEach(System.out::println);
        System.out.printf("%d passed, %d failed, %d skipped%n", reports.passed, reports.failed, reports.skipped);
        System.exit(reports.complaints.isEmpty() && reports.passed > 0 ? 0 : 1);
    }

    private static Set<String> readSkips(Path list) throws Exception {
        return Files.readAllLines(list).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.strip().split("\\s", 2)[0])
                .collect(Collectors.toSet());
    }

    private static List<Path> reportsBelow(Path root) throws Exception {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path module : modules.sorted().toList()) {
                for (String kind : List.of("surefire-reports", "failsafe-reports")) {
                    Path folder = module.resolve("target").resolve(kind);
                    if (Files.isDirectory(folder)) {
                        try (Stream<Path> files = Files.list(folder)) {
                            files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                                    .sorted()
                                    .forEach(found::add);
                        }
                    }
                }
            }
        }
        return found;
    }

    private void count(Path file) throws Exception {
        DocumentBuilder parser = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder();
        NodeList cases = parser.parse(file.toFile()).getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            Element test = (Element) cases.item(i);
            String owner = test.getAttribute("classname");
            String method = test.getAttribute("name").replaceFirst("[({\\[].*", "");
            String name = owner + "#" + method;
            if (has(test, "failure") || has(test, "error")) {
                failed++;
                complaints.add("failed: " + name);
            } else if (has(test, "skipped")) {
                skipped++;
                boolean expected = expectedSkips.contains(name)
                        || expectedSkips.contains(owner)
                        || (!optional.isEmpty() && owner.startsWith(optional));
                if (!expected) {
                    complaints.add("skipped, and not listed in bin/expected-skips: " + name);
                }
            } else {
                passed++;
                if (has(test, "flakyFailure") || has(test, "flakyError")) {
                    flakes.add("passed only when it was run again, find out why: " + name);
                }
            }
        }
    }

    private static boolean has(Element test, String child) {
        return test.getElementsByTagName(child).getLength() > 0;
    }
}
