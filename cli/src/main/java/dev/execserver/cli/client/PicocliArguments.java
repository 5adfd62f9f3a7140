package dev.execserver.cli.client;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** Describes the client commands to picocli: for help, errors and unusual spellings. */
final class PicocliArguments {
    private PicocliArguments() {}

    static CommandSpec spec(String name, Usage usage) {
        CommandSpec spec = CommandSpec.create().name(name);
        spec.parser().stopAtPositional(usage.programFollows());
        usage.options().forEach(option -> spec.addOption(spec(option)));
        if (!usage.operands().isEmpty()) {
            spec.addPositional(PositionalParamSpec.builder()
                    .paramLabel(usage.operands())
                    .description(usage.operandsMeaning())
                    .hideParamSyntax(true)
                    .arity("0..*")
                    .type(List.class)
                    .auxiliaryTypes(String.class)
                    .build());
        }
        return spec;
    }

    static Arguments given(Usage usage, ParseResult parsed) {
        Map<ClientOption, List<String>> options = new EnumMap<>(ClientOption.class);
        for (ClientOption option : usage.options()) {
            if (parsed.hasMatchedOption(option.longName())) {
                options.put(
                        option,
                        option.flag()
                                ? List.of()
                                : parsed.matchedOption(option.longName()).stringValues());
            }
        }
        List<String> operands = usage.operands().isEmpty()
                ? List.of()
                : parsed.commandSpec().positionalParameters().getFirst().stringValues();
        return new Arguments(options, operands);
    }

    private static OptionSpec spec(ClientOption option) {
        OptionSpec.Builder builder = OptionSpec.builder(option.names().toArray(String[]::new))
                .description(option.meaning().replace("%", "%%"))
                .paramLabel(option.placeholder());
        if (option.flag()) {
            return builder.type(boolean.class).arity("0").build();
        }
        return option.repeatable()
                ? builder.type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .build()
                : builder.type(String.class).arity("1").build();
    }
}
