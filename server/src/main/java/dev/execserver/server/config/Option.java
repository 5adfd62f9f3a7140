package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.Optional;

/**
 * One thing that can be configured. Its name is the same everywhere: {@code --max-processes} on the command line,
 * {@code EXEC_SERVER_MAX_PROCESSES} in the environment, {@code max-processes} in the properties file.
 *
 * @param name lower case with dashes
 * @param type how the value is written
 * @param placeholder what stands for the value in the help
 * @param defaultValue the value when nobody says anything; empty when there is none or it depends on the machine
 * @param defaultText the default in words
 * @param environmentAlias another environment variable that is honoured
 * @param meaning one sentence for the help and docs/configuration.md
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

    /** Options are told apart by their names; they are the keys of maps all over the start of the program. */
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

    /** Whether the command line may name this option alone, without a value. */
    public boolean flag() {
        return type.flag();
    }

    Option<T> withEnvironmentAlias(String alias) {
        return new Option<>(name, type, placeholder, defaultValue, defaultText, Optional.of(alias), meaning);
    }

    Option<T> withDefaultText(String text) {
        return new Option<>(name, type, placeholder, defaultValue, text, environmentAlias, meaning);
    }
}
