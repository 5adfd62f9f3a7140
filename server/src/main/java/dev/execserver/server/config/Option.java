package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.Optional;

/**
 * One configuration option. Its name is the same everywhere: {@code --max-processes} on the command line,
 * {@code EXEC_SERVER_MAX_PROCESSES} in the environment, {@code max-processes} in the properties file.
 *
 * @param name lower case with dashes
 * @param type form of the value
 * @param placeholder text that stands for the value in the help
 * @param defaultValue value if the option is not set; empty if there is none or it depends on the machine
 * @param defaultText the default in words
 * @param environmentAlias another environment variable that sets the option
 * @param meaning one sentence for the help and for docs/configuration.md
 */
public record Option<T>(
        String name,
        ValueType<T> type,
        String placeholder,
        Optional<T> defaultValue,
        String defaultText,
        Optional<String> environmentAlias,
        String meaning) {
    static final String ENVIRONMENT_PREFIX = "EXEC_SERVER_";

    public Option {
        requireNonNull(name, "name");
        requireNonNull(type, "type");
        requireNonNull(placeholder, "placeholder");
        requireNonNull(defaultValue, "defaultValue");
        requireNonNull(defaultText, "defaultText");
        requireNonNull(environmentAlias, "environmentAlias");
        requireNonNull(meaning, "meaning");
    }

    /** Compares names only: they identify options, which are keys of maps in the whole start of the program. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Option<?> option && name.equals(option.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    public String longName() {
        return "--" + name;
    }

    public String environmentName() {
        return ENVIRONMENT_PREFIX + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    public String propertyName() {
        return name;
    }

    /** Returns true if the command line may name this option without a value. */
    public boolean flag() {
        return type.flag();
    }

    /** Returns the text between its values if the command line may name it several times. */
    public Optional<String> separator() {
        return type.separator();
    }

    Option<T> withEnvironmentAlias(String alias) {
        return new Option<>(name, type, placeholder, defaultValue, defaultText, Optional.of(alias), meaning);
    }

    Option<T> withDefaultText(String text) {
        return new Option<>(name, type, placeholder, defaultValue, text, environmentAlias, meaning);
    }
}
