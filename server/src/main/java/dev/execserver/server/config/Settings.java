package dev.execserver.server.config;

import dev.execserver.cli.local.ConfigException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Values of options with their origins. The command line wins over the environment, the environment over the properties
 * file; an option that is not set has its default.
 */
final class Settings {
    /** A value and its origin in words. */
    record Setting(String value, String origin) {}

    private final List<Map<Option<?>, Setting>> layers;

    /** @param layers sources of values, the strongest first */
    Settings(List<Map<Option<?>, Setting>> layers) {
        this.layers = List.copyOf(layers);
    }

    Optional<Setting> setting(Option<?> option) {
        return layers.stream()
                .filter(layer -> layer.containsKey(option))
                .map(layer -> layer.get(option))
                .findFirst();
    }

    boolean given(Option<?> option) {
        return setting(option).isPresent();
    }

    /** Returns the value that was given, or the default if there is one. */
    <T> Optional<T> find(Option<T> option) {
        Optional<Setting> setting = setting(option);
        return setting.isPresent() ? Optional.of(parse(option, setting.get())) : option.defaultValue();
    }

    /** Returns the value of an option that has a default. */
    <T> T value(Option<T> option) {
        return find(option).orElseThrow(() -> new IllegalArgumentException(option.longName() + " has no default"));
    }

    /** Checks every given value, also those that are not read later. */
    void checkAll() {
        Options.ALL.forEach(this::find);
    }

    /** Returns the value with its origin, for messages: {@code 10s (from the command line)}. */
    String describe(Option<?> option) {
        return setting(option)
                .map(setting -> "%s (from %s)".formatted(setting.value(), setting.origin()))
                .orElse(option.defaultText() + " (the default)");
    }

    private static <T> T parse(Option<T> option, Setting setting) {
        return option.type()
                .parse(setting.value())
                .orElseThrow(() -> ConfigException.usage("invalid value `%s` for %s (from %s); give %s"
                        .formatted(
                                setting.value(),
                                option.longName(),
                                setting.origin(),
                                option.type().expectation())));
    }
}
