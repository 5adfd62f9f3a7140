package dev.execserver.server.cli;

import dev.execserver.cli.Console;
import dev.execserver.cli.ExitStatus;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.config.ConfigLoader;
import dev.execserver.server.config.Option;
import dev.execserver.server.config.ServerConfig;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Carries out {@code --check-config} and {@code --print-config}, which look at the configuration of a server and start none.
 * Used by the main thread.
 */
final class ConfigInspection {
    private static final String CHECK = "--check-config";
    private static final String PRINT = "--print-config";

    private final Consumer<ServerConfig> check;

    /** @param check reads the files that a configuration names */
    ConfigInspection(Consumer<ServerConfig> check) {
        this.check = check;
    }

    static void addTo(CommandSpec spec) {
        spec.addOption(
                flag(CHECK, "Check all settings and the files that they name, and end; a server may run meanwhile."));
        spec.addOption(flag(
                PRINT, "Print all settings as a properties file, with the origin of each and no secrets, and end."));
    }

    static boolean wanted(ParseResult arguments) {
        return arguments.hasMatchedOption(CHECK) || arguments.hasMatchedOption(PRINT);
    }

    /**
     * Prints the settings if that is asked for, then checks the files if that is asked for.
     *
     * @return the exit status
     * @throws ConfigException when the configuration would not start a server
     */
    int run(ParseResult arguments, Map<Option<?>, String> given, Console console) {
        ConfigLoader.Loaded loaded = ConfigLoader.load(given, console.environment());
        Logging.configure(loaded.logLevel());
        if (arguments.hasMatchedOption(PRINT)) {
            ConfigLoader.text(given, console.environment())
                    .forEach(line -> console.out().print(line + "\n"));
        }
        ConfigLoader.misspelled(console.environment()).forEach(text -> warn(text, console));
        if (arguments.hasMatchedOption(CHECK)) {
            check.accept(loaded.server());
            SecretWarnings.of(loaded.server(), loaded.file()).forEach(text -> warn(text, console));
            console.note("The configuration can be used.");
        }
        return console.finish(ExitStatus.OK);
    }

    private static void warn(String text, Console console) {
        console.note("Warning: " + text);
    }

    private static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .type(boolean.class)
                .arity("0")
                .description(description)
                .build();
    }
}
