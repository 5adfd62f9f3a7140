package dev.execserver.server.config;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.config.Settings.Setting;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes a {@link ServerConfig} from the command line, the environment, the properties file and the defaults, in this
 * order of precedence. An empty environment variable counts as not set.
 */
public final class ConfigLoader {
    private static final String COMMAND_LINE = "the command line";

    private ConfigLoader() {}

    /**
     * Configuration that the program needs to start.
     *
     * @param server the server's configuration
     * @param logLevel of the program
     * @param file the properties file that was read
     */
    public record Loaded(ServerConfig server, LogLevel logLevel, Optional<Path> file) {}

    /** Variables of this program that are not options: those of the launcher and of the client commands. */
    private static final List<String> OTHER_VARIABLES =
            List.of("EXEC_SERVER_JAVA_OPTS", "EXEC_SERVER_URL", "EXEC_SERVER_TOKEN_FILE", "EXEC_SERVER_CA_FILE");

    /**
     * @param commandLine the options that were given, as written
     * @param environment the environment variables of the process
     * @throws ConfigException when a setting is not acceptable
     */
    public static Loaded load(Map<Option<?>, String> commandLine, Map<String, String> environment) {
        Settings settings = settings(commandLine, environment);
        return new Loaded(
                ServerConfigAssembler.assemble(settings),
                settings.value(Options.LOG_LEVEL),
                settings.find(Options.CONFIG));
    }

    /**
     * Returns the settings in force as the lines of a properties file, each with its origin.
     *
     * @param commandLine the options that were given, as written
     * @param environment the environment variables of the process
     * @throws ConfigException when a setting is not acceptable
     */
    public static List<String> text(Map<Option<?>, String> commandLine, Map<String, String> environment) {
        return ConfigText.lines(settings(commandLine, environment));
    }

    private static Settings settings(Map<Option<?>, String> commandLine, Map<String, String> environment) {
        Map<Option<?>, Setting> arguments = new HashMap<>();
        commandLine.forEach((option, value) -> arguments.put(option, new Setting(value, COMMAND_LINE)));
        Map<Option<?>, Setting> variables = variables(environment);
        Optional<Path> file = new Settings(List.of(arguments, variables)).find(Options.CONFIG);
        Settings settings = new Settings(
                List.of(arguments, variables, file.map(PropertiesFile::read).orElse(Map.of())));
        settings.checkAll();
        return settings;
    }

    /**
     * Returns warnings about variables that look like misspelled options. Only names close to an option count, because
     * other programs set variables with the same prefix: a container orchestrator sets EXEC_SERVER_SERVICE_HOST, for
     * example.
     */
    public static List<String> misspelled(Map<String, String> environment) {
        List<String> known = Stream.concat(Options.ALL.stream().map(Option::environmentName), OTHER_VARIABLES.stream())
                .toList();
        return environment.keySet().stream()
                .filter(name -> name.startsWith(Option.ENVIRONMENT_PREFIX) && !known.contains(name))
                .sorted()
                .flatMap(name -> SpellingHint.nearest(name, known).stream()
                        .map(near -> "the environment variable %s means nothing here; did you mean %s?"
                                .formatted(name, near)))
                .toList();
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
