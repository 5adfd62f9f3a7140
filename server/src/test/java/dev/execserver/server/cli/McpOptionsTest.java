package dev.execserver.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.config.Options;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class McpOptionsTest {
    private static CommandSpec spec() {
        CommandSpec spec = CommandSpec.create();
        McpOptions.addTo(spec);
        return spec;
    }

    @Test
    void bothReadersUnderstandTheSame() {
        for (List<String> arguments : List.of(
                List.of("--rules", "/a", "--shell", "/bin/sh", "--state-dir=/tmp"),
                List.of("--bash=/bin/bash", "--profile", "{\"type\":\"disabled\"}"))) {
            var plain = McpOptions.plain(arguments).orElseThrow();
            var read = McpOptions.given(new CommandLine(spec()).parseArgs(arguments.toArray(String[]::new)));

            assertThat(plain).isEqualTo(read).hasSize(arguments.contains("--rules") ? 3 : 2);
        }
    }

    @Test
    void theListenersOptionsAreNotThere() {
        assertThat(McpOptions.plain(List.of("--listen", "stdio"))).isEmpty();
        assertThat(spec().findOption("--listen")).isNull();
        assertThat(spec().findOption("--ws-token-file")).isNull();
        assertThat(spec().findOption(Options.EXEC_RULES.longName())).isNotNull();
    }

    @Test
    void aLongNameIsSaidToHaveAShortOne() {
        assertThatThrownBy(() -> McpOptions.plain(List.of("--mcp-rules", "/a")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--rules");
    }
}
