package dev.execserver.server.cli;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.config.Option;
import dev.execserver.server.config.Options;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Options of {@code mcp}: those of {@code serve} without the ones of its listener, some under shorter names. */
final class McpOptions {
    private static final Map<Option<?>, List<String>> SHORTER = Map.of(
            Options.MCP_RULES, List.of("--rules"),
            Options.MCP_PROFILE, List.of("--profile"),
            Options.MCP_EXECVE, List.of("--execve"),
            Options.MCP_SHELL, List.of("--shell", "--bash"),
            Options.MCP_PRESERVE_PROGRAM_PATHS, List.of("--preserve-program-paths"),
            Options.MCP_COMPAT, List.of("--compat"));

    private static final Set<Option<?>> OF_LISTENER = Set.of(
            Options.LISTEN,
            Options.ORIGIN_GUARD,
            Options.TLS_CERT,
            Options.TLS_KEY,
            Options.EXIT_ON_STDIN_CLOSE,
            Options.WS_TOKEN_FILE,
            Options.WS_TOKEN_SHA256,
            Options.WS_SHARED_SECRET_FILE,
            Options.WS_ISSUER,
            Options.WS_AUDIENCE,
            Options.WS_MAX_CLOCK_SKEW_SECONDS,
            Options.ALLOWED_HOSTS,
            Options.CONSOLE,
            Options.ALLOWED_ORIGINS,
            Options.MCP,
            Options.MCP_SESSION_TTL);

    private McpOptions() {}

    static void addTo(CommandSpec spec) {
        for (Option<?> option : Options.ALL) {
            if (!OF_LISTENER.contains(option)) {
                spec.addOption(OptionTable.spec(option, names(option)));
            }
        }
    }

    private static List<String> names(Option<?> option) {
        return SHORTER.getOrDefault(option, List.of(option.longName()));
    }

    static Map<Option<?>, String> given(ParseResult arguments) {
        Map<Option<?>, String> given = new HashMap<>();
        for (Option<?> option : Options.ALL) {
            if (!OF_LISTENER.contains(option)) {
                OptionTable.value(arguments, option, names(option).getFirst())
                        .ifPresent(value -> given.put(option, value));
            }
        }
        return given;
    }

    /** Returns the options, or empty if picocli has to read them. */
    static Optional<Map<Option<?>, String>> plain(List<String> arguments) {
        List<String> expanded = new ArrayList<>();
        for (String argument : arguments) {
            expanded.add(longName(argument));
        }
        return PlainArguments.read(expanded)
                .filter(given -> given.keySet().stream().noneMatch(OF_LISTENER::contains));
    }

    private static String longName(String argument) {
        int equals = argument.indexOf('=');
        String name = equals < 0 ? argument : argument.substring(0, equals);
        for (Map.Entry<Option<?>, List<String>> entry : SHORTER.entrySet()) {
            if (entry.getValue().contains(name)) {
                return entry.getKey().longName() + argument.substring(name.length());
            }
            if (entry.getKey().longName().equals(name)) {
                throw ConfigException.usage("unknown option `" + name + "`; it is called "
                        + String.join(" or ", entry.getValue()) + " here");
            }
        }
        return argument;
    }
}
