package dev.execserver.server.cli;

import static java.util.stream.Collectors.toMap;

import dev.execserver.server.config.Option;
import dev.execserver.server.config.Options;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads unambiguous command lines: only known options, each once, each with its value. Picocli reads all others, and
 * reports every error.
 *
 * <p>This class saves start-up time. Picocli's classes have the class-file version of Java 5, which the AOT cache of
 * the JVM does not accept, so that using them costs about 100 ms of the half second in which a server should listen.
 * Both readers follow {@link Options}, and a test compares them.
 */
final class PlainArguments {
    private static final Map<String, Option<?>> OPTIONS =
            Options.ALL.stream().collect(toMap(Option::longName, Function.identity()));

    private PlainArguments() {}

    /** Returns the options, or empty if picocli has to read them. */
    static Optional<Map<Option<?>, String>> read(List<String> arguments) {
        Map<Option<?>, String> given = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            Option<?> option = OPTIONS.get(equals < 0 ? argument : argument.substring(0, equals));
            if (option == null || given.containsKey(option)) {
                return Optional.empty();
            }
            String value;
            if (equals >= 0) {
                value = argument.substring(equals + 1);
            } else if (option.flag()
                    && (i + 1 == arguments.size() || arguments.get(i + 1).startsWith("-"))) {
                value = OptionTable.ALONE;
            } else if (++i < arguments.size()) {
                value = arguments.get(i);
            } else {
                return Optional.empty();
            }
            // Picocli has special rules for quotes, empty values and values that look like options.
            if (value.isEmpty() || value.startsWith("-") || value.startsWith("\"")) {
                return Optional.empty();
            }
            given.put(option, value);
        }
        return Optional.of(given);
    }
}
