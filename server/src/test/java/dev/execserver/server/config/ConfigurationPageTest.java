package dev.execserver.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keeps the tables of docs/configuration.md true. When it fails, put the row of the failure into the table of its subject. */
class ConfigurationPageTest {
    @Test
    void thePageHasOneTrueRowForEachOption() throws IOException {
        List<String> rows = Files.readString(Path.of("..", "docs", "configuration.md"))
                .lines()
                .filter(line -> line.startsWith("| `--"))
                .toList();

        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(
                        Options.ALL.stream().map(ConfigurationPageTest::row).toList());
    }

    private static String row(Option<?> option) {
        String value = option.flag() ? "[" + option.placeholder() + "]" : option.placeholder();
        return "| `%s %s` | %s | %s |"
                .formatted(
                        option.longName(),
                        value.replace("|", "\\|"),
                        option.defaultValue().isPresent() ? "`" + option.defaultText() + "`" : option.defaultText(),
                        option.meaning() + alias(option));
    }

    private static String alias(Option<?> option) {
        return option.environmentAlias()
                .map(name -> " The variable `" + name + "` is honoured too.")
                .orElse("");
    }
}
