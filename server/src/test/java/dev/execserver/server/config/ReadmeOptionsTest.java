package dev.execserver.server.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Keeps the README's table of options true. When it fails, copy the table from the failure into the README. */
class ReadmeOptionsTest {
    private static final String BEGIN = "<!-- options: kept true by ReadmeOptionsTest -->\n";
    private static final String END = "<!-- end of options -->";
    private static final String HEAD = """
            | option | environment variable | property | default | meaning |
            | --- | --- | --- | --- | --- |
            """;

    @Test
    void theReadmeListsEveryOptionAsItIs() throws IOException {
        String readme = Files.readString(Path.of("..", "README.md"));

        assertThat(readme).contains(BEGIN, END);
        assertThat(readme.substring(readme.indexOf(BEGIN) + BEGIN.length(), readme.indexOf(END)))
                .isEqualTo(
                        HEAD + Options.ALL.stream().map(ReadmeOptionsTest::row).collect(joining()));
    }

    private static String row(Option<?> option) {
        String value = " " + (option.flag() ? "[" + option.placeholder() + "]" : option.placeholder());
        return "| `%s%s` | %s | %s | %s | %s |\n"
                .formatted(
                        option.longName(),
                        value.replace("|", "\\|"),
                        environment(option),
                        option.equals(Options.CONFIG) ? "" : "`" + option.propertyName() + "`",
                        option.defaultValue().isPresent() ? "`" + option.defaultText() + "`" : option.defaultText(),
                        option.meaning());
    }

    private static String environment(Option<?> option) {
        return "`" + option.environmentName() + "`"
                + option.environmentAlias().map(alias -> ", `" + alias + "`").orElse("");
    }
}
