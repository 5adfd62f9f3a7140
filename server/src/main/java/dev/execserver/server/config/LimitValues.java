package dev.execserver.server.config;

import static java.util.stream.Collectors.joining;

import dev.execserver.cli.local.Durations;
import dev.execserver.sandbox.limits.CommandLimits;
import dev.execserver.server.rights.LimitName;
import dev.execserver.server.rights.LimitSet;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Values of limits with commas between them: {@code pids=512,memoryBytes=2GiB,timeoutMs=10m}, or {@code none}.
 *
 * @param known limits that may be named
 */
record LimitValues(List<LimitName> known) implements ValueType<LimitSet> {
    /** Type with the limits of a command. */
    static final LimitValues OF_COMMANDS = new LimitValues(List.of(LimitName.values()));

    /** Type with those that several commands can have together. */
    static final LimitValues TOGETHER = new LimitValues(List.of(LimitName.PIDS, LimitName.MEMORY_BYTES));

    private static final String NONE = "none";

    @Override
    public Optional<LimitSet> parse(String text) {
        Map<LimitName, Long> values = new EnumMap<>(LimitName.class);
        if (text.equals(NONE)) {
            return Optional.of(LimitSet.NONE);
        }
        for (String part : text.split(",", -1)) {
            String[] halves = part.strip().split("=", 2);
            Optional<LimitName> name = LimitName.of(halves[0]).filter(known::contains);
            Optional<Long> value =
                    halves.length == 2 ? name.flatMap(found -> value(found, halves[1])) : Optional.empty();
            if (value.isEmpty() || values.put(name.get(), value.get()) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(new LimitSet(values));
    }

    private static Optional<Long> value(LimitName name, String text) {
        Optional<Long> value = switch (name.kind()) {
            case COUNT -> new Count(0, Integer.MAX_VALUE).parse(text).map(Integer::longValue);
            case SIZE -> Sizes.parse(text);
            case TIME -> Durations.parse(text).map(Duration::toMillis);
        };
        return value.filter(number -> number >= name.least() && number <= CommandLimits.LARGEST);
    }

    @Override
    public String format(LimitSet value) {
        return value.none()
                ? NONE
                : Stream.of(LimitName.values())
                        .filter(name -> value.get(name).isPresent())
                        .map(name ->
                                name.member() + "=" + text(name, value.get(name).getAsLong()))
                        .collect(joining(","));
    }

    private static String text(LimitName name, long value) {
        return switch (name.kind()) {
            case COUNT -> Long.toString(value);
            case SIZE -> Sizes.format(value);
            case TIME -> Durations.format(Duration.ofMillis(value));
        };
    }

    @Override
    public Optional<String> separator() {
        return Optional.of(",");
    }

    @Override
    public String expectation() {
        return known.stream()
                        .map(LimitName::member)
                        .collect(joining(", ", "NAME=VALUE with commas between them, of ", ""))
                + ", such as pids=512,memoryBytes=2GiB; or none";
    }
}
