package dev.execserver.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the options of {@link Options} and keeps their order. Used while that class is initialised, by its thread. */
final class OptionRegister {
    private static final List<Option<?>> TABLE = new ArrayList<>();

    private OptionRegister() {}

    /** Returns the options made so far. */
    static List<Option<?>> declared() {
        return List.copyOf(TABLE);
    }

    static <T> Option<T> define(String name, ValueType<T> type, String placeholder, T defaultValue, String meaning) {
        return new Option<>(
                name,
                type,
                placeholder,
                Optional.of(defaultValue),
                type.format(defaultValue),
                Optional.empty(),
                meaning);
    }

    static <T> Option<T> defineWithoutDefault(String name, ValueType<T> type, String placeholder, String meaning) {
        return new Option<>(name, type, placeholder, Optional.empty(), "none", Optional.empty(), meaning);
    }

    static <T> Option<T> add(String name, ValueType<T> type, String placeholder, T defaultValue, String meaning) {
        return add(define(name, type, placeholder, defaultValue, meaning));
    }

    static <T> Option<T> optional(String name, ValueType<T> type, String placeholder, String meaning) {
        return add(defineWithoutDefault(name, type, placeholder, meaning));
    }

    static <T> Option<T> add(Option<T> option) {
        TABLE.add(option);
        return option;
    }

    static Option<Path> file(String name, String meaning) {
        return optional(name, new ValueType.File(), "PATH", meaning);
    }

    static Option<Boolean> onOff(String name, boolean defaultValue, String meaning) {
        return add(name, new ValueType.Switch(), "on|off", defaultValue, meaning);
    }

    static Option<Integer> count(String name, int defaultValue, String meaning) {
        return add(name, new ValueType.Count(1, Limits.LARGEST_COUNT), "N", defaultValue, meaning);
    }

    static Option<Long> size(String name, long defaultValue, long min, String meaning) {
        return add(name, new ValueType.Size(min, Limits.LARGEST_BYTES), "SIZE", defaultValue, meaning);
    }

    static Option<Duration> time(String name, Duration defaultValue, Duration min, Duration max, String meaning) {
        return add(name, new ValueType.Time(min, max), "TIME", defaultValue, meaning);
    }
}
