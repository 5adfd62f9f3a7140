package dev.execserver.server.cli;

import dev.execserver.server.config.Option;
import dev.execserver.server.config.Options;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Options of {@code serve} for picocli. Values stay text here; the configuration checks them. */
final class OptionTable {
    /** Value of a switch that is named without a value. */
    static final String ALONE = "on";

    private OptionTable() {}

    static void addTo(CommandSpec spec) {
        Options.ALL.forEach(option -> spec.addOption(spec(option, List.of(option.longName()))));
    }

    static Map<Option<?>, String> given(ParseResult arguments) {
        Map<Option<?>, String> given = new HashMap<>();
        for (Option<?> option : Options.ALL) {
            value(arguments, option, option.longName()).ifPresent(value -> given.put(option, value));
        }
        return given;
    }

    /** Returns the value of an option, as written, if it was given. */
    static Optional<String> value(ParseResult arguments, Option<?> option, String name) {
        if (!arguments.hasMatchedOption(name)) {
            return Optional.empty();
        }
        Object value = arguments.matchedOption(name).getValue();
        return Optional.of(value instanceof List<?> values ? joined(values, option) : value.toString());
    }

    private static String joined(List<?> values, Option<?> option) {
        return values.stream()
                .map(Object::toString)
                .collect(Collectors.joining(option.separator().orElseThrow()));
    }

    static OptionSpec spec(Option<?> option, List<String> names) {
        OptionSpec.Builder builder = OptionSpec.builder(names.toArray(String[]::new))
                .description(description(option))
                .paramLabel(option.placeholder());
        if (option.separator().isPresent()) {
            return builder.type(List.class)
                    .auxiliaryTypes(String.class)
                    .arity("1")
                    .build();
        }
        return option.flag()
                ? builder.type(String.class).arity("0..1").fallbackValue(ALONE).build()
                : builder.type(String.class).arity("1").build();
    }

    private static String description(Option<?> option) {
        String percentSafe = option.meaning().replace("%", "%%");
        return option.defaultText().equals("none") ? percentSafe : percentSafe + " Default: " + option.defaultText();
    }
}
