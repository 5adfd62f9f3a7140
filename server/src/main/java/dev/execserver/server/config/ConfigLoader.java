package dev.execserver.server.config;

import dev.execserver.server.config.Settings.Setting;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes a {@link ServerConfig} out of the command line, the environment, the properties file and the defaults, in this
 * order of precedence. An environment variable that is set to nothing counts as not set.
 */
public final class ConfigLoader {
    private static final String COMMAND_LINE = "the command line";

    private ConfigLoader() {}

    /** What a program needs to start: the server's configuration and its own log level. */
    public record Loaded(ServerConfig server, LogLevel logLevel) {}

    /**
     * @param commandLine the options that were given, as written
     * @param environment the environment variables of the process
     * @throws ConfigException when something is not acceptable
     */
    public static Loaded load(Map<Option<?>, String> commandLine, Map<String, String> environment) {
        Map<Option<?>, Setting> arguments = new HashMap<>();
        commandLine.forEach((option, value) -> arguments.put(option, new Setting(value, COMMAND_LINE)));
        Map<Option<?>, Setting> variables = variables(environment);
        Optional<Path> file = new Settings(List.of(arguments, variables)).find(Options.CONFIG);
        Settings settings = new Settings(
                List.of(arguments, variables, file.map(PropertiesFile::read).orElse(Map.of())));
        settings.checkAll();
        return new Loaded(ServerConfigAssembler.assemble(settings), settings.value(Options.LOG_LEVEL));
    }

    private static Map<Option<?>, Setting> variables(Map<String, String> environment) {
        Map<Option<?>, Setting> variables = new HashMap<>();
        for (Option<?> option : Options.ALL) {
            variable(option.environmentName(), environment)
                    .or(() -> option.environmentAlias().flatMap(alias -> variable(alias, environment)))
                    .ifPresent(setting -> variables.put(option, setting));
        }
        return variables;
    }

    private static Optional<Setting> variable(String name, Map<String, String> environment) {
        return Optional.ofNullable(environment.get(name))
                .filter(value -> !value.isEmpty())
                .map(value -> new Setting(value, "the environment variable " + name));
    }
}
