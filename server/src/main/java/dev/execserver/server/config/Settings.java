package dev.execserver.server.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was said, and where: the command line wins over the environment, the environment over the properties file, and
 * what nobody said has its default.
 */
final class Settings {
    /** A value and the place it comes from, in words. */
    record Setting(String value, String origin) {}

    private final List<Map<Option<?>, Setting>> layers;

    /** @param layers the strongest first */
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

    /** The value that was given, or the default if there is one. */
    <T> Optional<T> find(Option<T> option) {
        Optional<Setting> setting = setting(option);
        return setting.isPresent() ? Optional.of(parse(option, setting.get())) : option.defaultValue();
    }

    /** The value of an option that has a default. */
    <T> T value(Option<T> option) {
        return find(option).orElseThrow(() -> new IllegalArgumentException(option.longName() + " has no default"));
    }

    /** Checks every value that was given, also those that nothing else will look at. */
    void checkAll() {
        Options.ALL.forEach(this::find);
    }

    /** The value as text with its place, for messages: {@code 10s (from the command line)}. */
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
