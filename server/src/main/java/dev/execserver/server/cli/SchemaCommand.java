package dev.execserver.server.cli;

import dev.execserver.cli.Command;
import dev.execserver.cli.Console;
import dev.execserver.cli.ExitStatus;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.schema.SchemaDialect;
import dev.execserver.server.schema.SchemaDocuments;
import dev.execserver.server.schema.SchemaFormat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Prints the description of the protocol for programs. */
public final class SchemaCommand implements Command {
    private static final String DIALECT = "--dialect";
    private static final String FORMAT = "--format";

    @Override
    public String name() {
        return "schema";
    }

    @Override
    public String summary() {
        return "Print the protocol as a schema.";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "A server gives the same at /openrpc.json and /schema.json, and as the answer to rpc.discover.",
                "Exit status: 0; 1 when the output cannot be written; 2 when the command is written wrongly.");
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().name(Program.NAME + " schema");
        spec.addOption(choice(
                DIALECT,
                SchemaDialect.values(),
                "The server's own protocol, or that of the app-server. Default: exec."));
        spec.addOption(choice(FORMAT, SchemaFormat.values(), "Form of the description. Default: jsonschema."));
        return spec;
    }

    private static OptionSpec choice(String name, Enum<?>[] values, String description) {
        return OptionSpec.builder(name)
                .type(String.class)
                .arity("1")
                .paramLabel(words(values, "|"))
                .description(description)
                .build();
    }

    @Override
    public int run(ParseResult arguments, Console console) {
        SchemaDialect dialect = chosen(arguments, DIALECT, SchemaDialect.values(), SchemaDialect.EXEC);
        SchemaFormat format = chosen(arguments, FORMAT, SchemaFormat.values(), SchemaFormat.JSONSCHEMA);
        console.out().print(new String(SchemaDocuments.read(dialect, format), StandardCharsets.UTF_8));
        return console.finish(ExitStatus.OK);
    }

    private static <E extends Enum<E>> E chosen(ParseResult arguments, String option, E[] values, E otherwise) {
        String word = arguments.matchedOptionValue(option, word(otherwise));
        return Stream.of(values)
                .filter(value -> word(value).equals(word))
                .findFirst()
                .orElseThrow(() ->
                        ConfigException.usage("%s is %s, not `%s`".formatted(option, words(values, " or "), word)));
    }

    private static String words(Enum<?>[] values, String between) {
        return Stream.of(values).map(SchemaCommand::word).collect(Collectors.joining(between));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
