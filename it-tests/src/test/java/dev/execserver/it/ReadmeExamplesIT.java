package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Examples;
import dev.execserver.it.support.Examples.Example;
import dev.execserver.it.support.SharedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the README and the pages with examples. A fenced block {@code ```sh example=NAME} is run by bash with {@code bin/} first on the
 * PATH, {@code ```java example=NAME} by Java with the client module; the block {@code ```json expected=NAME} that goes with it holds
 * lines that must occur in its output, each on a line of its own. {@code EXEC_SERVER_URL} names a server for all of them.
 */
@Timeout(120)
class ReadmeExamplesIT {
    private static final Path ROOT = root();

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir
    Path directory;

    @TestFactory
    Stream<DynamicTest> everyExampleOfTheReadmeIsTrue() throws IOException {
        List<Example> examples = new ArrayList<>();
        for (String page : List.of(
                "README.md",
                "docs/cli.md",
                "docs/rules.md",
                "docs/protocol.md",
                "docs/files-over-http.md",
                "docs/command-exec.md",
                "docs/client.md")) {
            List<Example> ofPage = Examples.in(Files.readString(ROOT.resolve(page)));
            assertThat(ofPage).as("examples in " + page).isNotEmpty();
            examples.addAll(ofPage);
        }
        return examples.stream().map(example -> DynamicTest.dynamicTest(example.name(), () -> check(example)));
    }

    private void check(Example example) throws IOException, InterruptedException {
        List<String> output = run(example);
        List<String> unmatched = new ArrayList<>(output);
        for (String expected : example.expected()) {
            String found = unmatched.stream()
                    .filter(line -> Examples.alike(expected, line))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(
                            "not in the output: " + expected + "\noutput:\n" + String.join("\n", output)));
            unmatched.remove(found);
        }
    }

    private List<String> run(Example example) throws IOException, InterruptedException {
        Path stdout = directory.resolve(example.name() + ".out");
        ProcessBuilder builder = new ProcessBuilder(command(example))
                .directory(ROOT.toFile())
                .redirectErrorStream(false)
                .redirectOutput(stdout.toFile())
                .redirectError(directory.resolve(example.name() + ".err").toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().merge("PATH", ROOT.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
        builder.environment().put("EXEC_SERVER_URL", SERVER.process().url().toString());
        builder.environment().putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        if (!process.waitFor(90, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("example " + example.name() + " did not end");
        }
        return new String(Files.readAllBytes(stdout), UTF_8).lines().toList();
    }

    private List<String> command(Example example) throws IOException {
        if (example.language().equals("sh")) {
            return List.of("bash", "-c", example.script());
        }
        Path source = Files.writeString(directory.resolve(example.name() + ".java"), example.script());
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(java, "-cp", System.getProperty("java.class.path"), source.toString());
    }

    private static Path root() {
        String given = System.getProperty("exec.server.repository", "..");
        return Path.of(given).toAbsolutePath().normalize();
    }
}
