package dev.execserver.server.cli;

import dev.execserver.cli.Command;
import dev.execserver.cli.Console;
import dev.execserver.cli.ExitStatus;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.LocalFile;
import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.server.environment.EnvironmentProbe;
import dev.execserver.server.rules.CheckReport;
import dev.execserver.server.rules.Explanation;
import dev.execserver.server.rules.ProgramPaths;
import dev.execserver.server.rules.RuleFileException;
import dev.execserver.server.rules.RuleFiles;
import dev.execserver.server.rules.RuleMatch;
import dev.execserver.server.rules.RuleSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * Asks rules files about a command line. The arguments are parsed here and not by picocli: the command that is asked about begins
 * with the first word that is no option, whatever it looks like, as in the reference.
 */
public final class ExecPolicyCommand implements Command {
    private static final String CHECK = "check";
    private static final String EXPLAIN = "explain";
    private static final String TEST = "test";
    private static final String FORMAT = "format";
    private static final List<String> VERBS = List.of(CHECK, EXPLAIN, TEST, FORMAT);
    private static final String RULES = "--rules";
    private static final String PRETTY = "--pretty";
    private static final String RESOLVE = "--resolve-host-executables";

    @Override
    public String name() {
        return "execpolicy";
    }

    @Override
    public String summary() {
        return "Ask rules files what they say about a command line.";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "check prints the rules that match as JSON; explain says in words which rule it was, or what the nearest ones"
                        + " would have needed; test reads files, and all *.rules of folders, and runs their examples; format lays them out, in place.",
                "Exit status: 0, also when the command is forbidden; 1 when a file cannot be read, its examples fail or format"
                        + " --check finds another layout; 2 when"
                        + " the command is written wrongly.");
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().name(Program.NAME + " execpolicy");
        spec.addOption(OptionSpec.builder("-r", RULES)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .paramLabel("FILE")
                .description("Rules file; several are read in this order.")
                .build());
        spec.addOption(flag(PRETTY, "Write the JSON over several lines."));
        spec.addOption(
                flag(ExecPolicyFormat.CHECK, "For format: change nothing, name the files that have another layout."));
        spec.addOption(flag(RESOLVE, "Look the base name of the program up too."));
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("check|explain|test|format")
                .index("0")
                .arity("0..1")
                .type(String.class)
                .description("What to do.")
                .build());
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("ARGUMENT")
                .index("1..*")
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description("The command to ask about; for test and format the files and folders.")
                .build());
        return spec;
    }

    private static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .type(boolean.class)
                .arity("0")
                .description(description)
                .build();
    }

    @Override
    public OptionalInt runPlain(List<String> arguments, Console console) {
        if (arguments.isEmpty() || !VERBS.contains(arguments.getFirst())) {
            return OptionalInt.empty();
        }
        List<String> rest = arguments.subList(1, arguments.size());
        if (rest.stream()
                .findFirst()
                .filter(word -> word.equals("--help") || word.equals("-h"))
                .isPresent()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(
                switch (arguments.getFirst()) {
                    case TEST -> test(rest, console);
                    case FORMAT -> ExecPolicyFormat.run(rest, console);
                    default -> ask(arguments.getFirst(), rest, console);
                });
    }

    @Override
    public int run(ParseResult arguments, Console console) {
        throw ConfigException.usage("say what to do: check, explain, test or format");
    }

    private static int ask(String verb, List<String> arguments, Console console) {
        Question question = Question.parse(arguments);
        RuleSet rules;
        try {
            RuleFiles files = new RuleFiles();
            question.files().forEach(files::add);
            rules = files.rules();
        } catch (RuleFileException failure) {
            console.errorLines(failure.describe());
            return ExitStatus.FAILURE;
        }
        boolean explain = verb.equals(EXPLAIN);
        List<RuleMatch> matches = question.resolve() || explain
                ? rules.match(question.command(), program(question.command()), rules::listedOrUnlisted)
                : rules.match(question.command());
        if (explain) {
            Explanation.lines(rules, question.command(), matches)
                    .forEach(line -> console.out().println(shown(line)));
        } else {
            console.out().println(CheckReport.json(matches, question.pretty()));
        }
        return console.finish(ExitStatus.OK);
    }

    private static String shown(String line) {
        return dev.execserver.protocol.text.VisibleText.line(line);
    }

    private static String program(List<String> command) {
        return ProgramPaths.absolute(
                command.getFirst(),
                SurrogateEscapedText.decode(
                        EnvironmentProbe.uri(LocalFile.workingDirectory()).bytes()));
    }

    private static int test(List<String> arguments, Console console) {
        int failures = 0;
        for (Path file : rulesFiles(arguments)) {
            try {
                RuleSet rules = new RuleFiles().add(file).rules();
                console.out()
                        .println(shown(
                                "%s: %d rules".formatted(file, rules.rules().size())));
            } catch (RuleFileException failure) {
                failures++;
                console.errorLines(failure.describe());
            }
        }
        return console.finish(failures == 0 ? ExitStatus.OK : ExitStatus.FAILURE);
    }

    /** Returns the files and those of the folders; at least one. */
    static List<Path> rulesFiles(List<String> places) {
        if (places.isEmpty()) {
            throw ConfigException.usage("name the rules files, or folders of them");
        }
        List<Path> files = new ArrayList<>();
        try {
            places.forEach(place -> files.addAll(RuleFiles.inFolder(Path.of(place))));
        } catch (RuleFileException failure) {
            throw ConfigException.failure(failure.getMessage());
        }
        if (files.isEmpty()) {
            throw ConfigException.failure("there is no file *.rules in " + String.join(", ", places));
        }
        return files;
    }

    /**
     * Arguments of check and explain.
     *
     * @param command one word or more
     */
    private record Question(List<Path> files, boolean pretty, boolean resolve, List<String> command) {
        static Question parse(List<String> arguments) {
            List<Path> files = new ArrayList<>();
            boolean pretty = false;
            boolean resolve = false;
            int at = 0;
            while (at < arguments.size()) {
                String word = arguments.get(at);
                if (word.equals(RULES) || word.equals("-r")) {
                    if (at + 1 == arguments.size()) {
                        throw ConfigException.usage("%s needs a file".formatted(word));
                    }
                    files.add(Path.of(arguments.get(at + 1)));
                    at++;
                } else if (Stream.of(RULES + "=", "-r=").anyMatch(word::startsWith)) {
                    files.add(Path.of(word.substring(word.indexOf('=') + 1)));
                } else if (word.equals(PRETTY)) {
                    pretty = true;
                } else if (word.equals(RESOLVE)) {
                    resolve = true;
                } else {
                    break;
                }
                at++;
            }
            if (at < arguments.size() && arguments.get(at).equals("--")) {
                at++;
            }
            if (files.isEmpty()) {
                throw ConfigException.usage("name at least one file with --rules");
            }
            if (at == arguments.size()) {
                throw ConfigException.usage("the command to ask about is missing");
            }
            return new Question(files, pretty, resolve, arguments.subList(at, arguments.size()));
        }
    }
}
