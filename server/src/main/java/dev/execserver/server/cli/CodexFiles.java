package dev.execserver.server.cli;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.config.Mcp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the files of a user that the original shell MCP server reads: rules of the system and of {@code CODEX_HOME}, and the shell. */
final class CodexFiles {
    private static final Path SYSTEM_RULES = Path.of("/etc/codex/rules");
    private static final String HOME = "CODEX_HOME";
    private static final String SHELL = "CODEX_BASH_PATH";

    private CodexFiles() {}

    /**
     * Adds them to the settings. Their rules come before those of the settings.
     *
     * @throws ConfigException if {@code CODEX_HOME} points to nothing
     */
    static Mcp added(Mcp given, Map<String, String> environment) {
        Map<Boolean, List<Path>> places = Stream.concat(
                        Stream.of(SYSTEM_RULES), home(environment).map(home -> home.resolve("rules")).stream())
                .collect(Collectors.partitioningBy(Files::isDirectory));
        List<Path> rules = Stream.concat(places.get(true).stream(), given.rules().stream())
                .distinct()
                .toList();
        Optional<Path> shell = given.shell().or(() -> value(environment, SHELL).map(Path::of));
        return given.with(shell, rules, places.get(false));
    }

    private static Optional<Path> home(Map<String, String> environment) {
        Optional<Path> named = value(environment, HOME).map(Path::of);
        named.filter(home -> !Files.exists(home)).ifPresent(home -> {
            throw ConfigException.failure(
                    "failed to resolve codex_home for execpolicy: CODEX_HOME points to \"%s\", but that path does not exist"
                            .formatted(home));
        });
        return named.or(() -> value(environment, "HOME").map(home -> Path.of(home, ".codex")));
    }

    private static Optional<String> value(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }
}
