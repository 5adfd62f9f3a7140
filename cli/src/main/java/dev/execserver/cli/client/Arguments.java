package dev.execserver.cli.client;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parsed command line: values of the given options, and operands. Values are not checked yet. */
record Arguments(Map<ClientOption, List<String>> options, List<String> operands) {
    private static final Duration MAX_TIME = Duration.ofDays(365);

    /**
     * Reads an unambiguous command line. Returns empty for all others, which picocli then reads. This reader saves the
     * time that picocli takes to load, see {@code docs/decisions/0002-command-line.md}.
     */
    static Optional<Arguments> read(Usage usage, List<String> line) {
        Map<ClientOption, List<String>> options = new EnumMap<>(ClientOption.class);
        List<String> operands = new ArrayList<>();
        for (int i = 0; i < line.size(); i++) {
            String argument = line.get(i);
            if (argument.equals("--") || (usage.programFollows() && !argument.startsWith("-"))) {
                operands.addAll(line.subList(argument.equals("--") ? i + 1 : i, line.size()));
                break;
            }
            if (!argument.startsWith("-") || argument.equals("-")) {
                operands.add(argument);
                continue;
            }
            ClientOption option = named(usage, argument);
            if (option == null || (options.containsKey(option) && !option.repeatable())) {
                return Optional.empty();
            }
            List<String> values = options.computeIfAbsent(option, _ -> new ArrayList<>());
            if (option.flag()) {
                continue;
            }
            if (++i == line.size() || line.get(i).startsWith("-") || line.get(i).isEmpty()) {
                return Optional.empty();
            }
            values.add(line.get(i));
        }
        return operands.isEmpty() || !usage.operands().isEmpty()
                ? Optional.of(new Arguments(options, operands))
                : Optional.empty();
    }

    private static ClientOption named(Usage usage, String name) {
        for (ClientOption option : usage.options()) {
            if (option.names().contains(name)) {
                return option;
            }
        }
        return null;
    }

    boolean has(ClientOption option) {
        return options.containsKey(option);
    }

    List<String> values(ClientOption option) {
        return options.getOrDefault(option, List.of());
    }

    Optional<String> value(ClientOption option) {
        return values(option).stream().findFirst();
    }

    /** @throws ConfigException when the option is not given */
    String required(ClientOption option) {
        return value(option)
                .orElseThrow(() -> ConfigException.usage(
                        "Missing required option: '%s=<%s>'".formatted(option.longName(), option.placeholder())));
    }

    Optional<Duration> time(ClientOption option) {
        return value(option)
                .map(text -> Durations.parse(text)
                        .filter(time -> time.isPositive() && time.compareTo(MAX_TIME) <= 0)
                        .orElseThrow(() -> invalid(option, text, "a number with ms, s, m or h, such as 30s")));
    }

    /** Returns the single operand. */
    String operand(Usage usage) {
        if (operands.size() != 1) {
            throw ConfigException.usage("give one %s".formatted(usage.operands()));
        }
        return operands.getFirst();
    }

    static ConfigException invalid(ClientOption option, String value, String expectation) {
        return ConfigException.usage(
                "invalid value `%s` for %s; give %s".formatted(value, option.longName(), expectation));
    }
}
