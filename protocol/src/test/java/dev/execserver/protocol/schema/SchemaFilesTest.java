package dev.execserver.protocol.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Comparison of the committed description of the protocol with the one that the code gives. */
class SchemaFilesTest {

    private static final String REGENERATE = "WRITE_SCHEMA=1 mvn -q -pl protocol test -Dtest=SchemaFilesTest";

    @TestFactory
    Stream<DynamicTest> theCommittedFilesAreThoseOfTheCode() {
        Map<String, String> files = SchemaFiles.generate();
        return files.entrySet().stream()
                .map(file -> DynamicTest.dynamicTest(file.getKey(), () -> {
                    Path path = SchemaFiles.REPOSITORY.resolve(file.getKey());
                    if (System.getenv("WRITE_SCHEMA") != null) {
                        write(path, file.getValue());
                    }
                    String committed = Files.exists(path) ? Files.readString(path) : "";
                    assertThat(firstDifference(committed, file.getValue()))
                            .as("%s; to write it again: %s", file.getKey(), REGENERATE)
                            .isEmpty();
                }));
    }

    @TestFactory
    Stream<DynamicTest> thePageOfEveryMethodHasAnExample() {
        return SchemaFiles.generate().entrySet().stream()
                .filter(file -> file.getKey().startsWith("docs/reference/"))
                .filter(file -> !file.getKey().matches(".*(index|types)\\.md"))
                .map(page -> DynamicTest.dynamicTest(
                        page.getKey(), () -> assertThat(page.getValue()).contains("## Example")));
    }

    /** Returns a line of each text; the whole texts are too long to read. */
    private static List<String> firstDifference(String committed, String generated) {
        List<String> before = committed.lines().toList();
        List<String> after = generated.lines().toList();
        int at = 0;
        while (at < before.size() && at < after.size() && before.get(at).equals(after.get(at))) {
            at++;
        }
        return at == before.size() && at == after.size()
                ? List.of()
                : List.of(
                        "line " + (at + 1),
                        "- " + (at < before.size() ? before.get(at) : "end of the file"),
                        "+ " + (at < after.size() ? after.get(at) : "end of the file"));
    }

    private static void write(Path path, String content) throws IOException {
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }
}
