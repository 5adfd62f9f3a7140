package dev.execserver.server.cli;

import dev.execserver.cli.Command;
import dev.execserver.cli.Console;
import dev.execserver.cli.ExitStatus;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.protocol.text.VisibleText;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Chooses the command by the first argument; without one it runs the first command of the list. Only the options of the
 * chosen command are built. Runs on the main thread.
 */
public final class Program {
    static final String NAME = "exec-server";

    static final String LINUX = "Linux";

    private static final String HELP = "help";

    private final List<Command> commands;
    private final Console console;
    private final String operatingSystem;

    public Program(List<Command> commands, Console console, String operatingSystem) {
        this.commands = List.copyOf(commands);
        this.console = console;
        this.operatingSystem = operatingSystem;
    }

    /** @return the exit status */
    public int run(String... decoded) {
        String[] arguments;
        try {
            arguments = ExactArguments.of(decoded);
        } catch (ConfigException e) {
            console.errorLines(e.getMessage());
            return ExitStatus.FAILURE;
        }
        Optional<String> first =
                arguments.length > 0 && !arguments[0].startsWith("-") ? Optional.of(arguments[0]) : Optional.empty();
        if (first.isEmpty() && arguments.length == 1) {
            switch (arguments[0]) {
                case "--help", "-h" -> {
                    return overview();
                }
                case "--help-all" -> {
                    return run(commands.getFirst(), "--help");
                }
                default -> {} // an option of the first command
            }
        }
        if (first.isEmpty()) {
            return run(commands.getFirst(), arguments);
        }
        if (first.get().equals(HELP)) {
            return help(Arrays.copyOfRange(arguments, 1, arguments.length));
        }
        Optional<Command> named = named(first.get());
        return named.map(command -> run(command, Arrays.copyOfRange(arguments, 1, arguments.length)))
                .orElseGet(() -> unknown(first.get()));
    }

    /** Handles {@code help COMMAND}, which some users type instead of {@code COMMAND --help}. */
    private int help(String... commandNames) {
        if (commandNames.length == 0) {
            return overview();
        }
        return named(commandNames[0]).map(command -> run(command, "--help")).orElseGet(() -> unknown(commandNames[0]));
    }

    private int overview() {
        console.out().print(Overview.text(commands));
        return console.finish(ExitStatus.OK);
    }

    private Optional<Command> named(String name) {
        return commands.stream().filter(command -> command.name().equals(name)).findFirst();
    }

    private int unknown(String name) {
        return usageError(
                "unknown command `%s`; the commands are: %s"
                        .formatted(
                                VisibleText.oneLine(name),
                                commands.stream().map(Command::name).collect(Collectors.joining(", "))),
                NAME);
    }

    private int run(Command command, String... arguments) {
        try {
            if (!command.takesAnyBytes()) {
                requireUtf8(arguments);
            }
            if (operatingSystem.equals(LINUX)) {
                OptionalInt status = command.runPlain(List.of(arguments), console);
                if (status.isPresent()) {
                    return status.getAsInt();
                }
            }
            return new PicocliRun(command, commands, console, operatingSystem).run(arguments);
        } catch (ConfigException e) {
            return switch (e.kind()) {
                case USAGE -> usageError(e.getMessage(), helpOf(command));
                case KNOWN_USAGE -> {
                    int _ = usageError(e.getMessage(), helpOf(command));
                    yield ExitStatus.FAILURE;
                }
                case FAILURE -> {
                    console.errorLines(e.getMessage());
                    yield ExitStatus.FAILURE;
                }
            };
        }
    }

    private static void requireUtf8(String... arguments) {
        for (String argument : arguments) {
            if (!SurrogateEscapedText.utf8(argument)) {
                throw ConfigException.failure(
                        "the argument `%s` is not UTF-8 and cannot be passed on as it is; hand such bytes over in a file or"
                                        .formatted(SurrogateEscapedText.shown(argument))
                                + " through standard input");
            }
        }
    }

    private String helpOf(Command command) {
        return command == commands.getFirst() ? NAME : NAME + " " + command.name();
    }

    private int usageError(String message, String helpOf) {
        console.errorLines(message);
        console.err().println("Try `%s --help`.".formatted(helpOf));
        return ExitStatus.USAGE;
    }
}
