package dev.execserver.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.config.Option;
import dev.execserver.server.config.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class PlainArgumentsTest {
    static List<Option<?>> allOptions() {
        return Options.ALL;
    }

    @ParameterizedTest
    @MethodSource("allOptions")
    void readsEveryOptionAsPicocliDoes(Option<?> option) {
        List<List<String>> spellings = option.flag()
                ? List.of(
                        List.of(option.longName()),
                        List.of(option.longName(), "off"),
                        List.of(option.longName() + "=false"),
                        List.of(option.longName(), "--config", "f"),
                        List.of(option.longName(), "@x"))
                : List.of(
                        List.of(option.longName(), "v w"),
                        List.of(option.longName() + "=a=b"),
                        List.of(option.longName(), "@x"));

        for (List<String> arguments : spellings) {
            assertThat(PlainArguments.read(arguments)).contains(byPicocli(arguments));
        }
    }

    @Test
    void readsAllOptionsTogether() {
        List<String> arguments = new ArrayList<>();
        for (Option<?> option : Options.ALL) {
            arguments.add(option.longName());
            if (!option.flag() || arguments.size() % 3 == 0) {
                arguments.add("value");
            }
        }

        assertThat(PlainArguments.read(arguments).orElseThrow())
                .hasSameSizeAs(Options.ALL)
                .isEqualTo(byPicocli(arguments));
        assertThat(PlainArguments.read(List.of())).contains(Map.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "-h",
                "--version",
                "--bogus x",
                "--lis stdio",
                "stdio",
                "--listen",
                "--listen=",
                "--listen --pty",
                "--listen stdio --listen stdio",
                "--exit-on-stdin-close=",
                "--",
                "--listen \"stdio\"",
                "@file"
            })
    void leavesEverythingElseToPicocli(String line) {
        assertThat(PlainArguments.read(List.of(line.split(" ")))).isEmpty();
    }

    private static Map<Option<?>, String> byPicocli(List<String> arguments) {
        CommandLine commandLine =
                new CommandLine(new ServeCommand(config -> null, _ -> {}).spec()).setExpandAtFiles(false);
        return OptionTable.given(commandLine.parseArgs(arguments.toArray(String[]::new)));
    }
}
