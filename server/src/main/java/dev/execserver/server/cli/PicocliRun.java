package dev.execserver.server.cli;

import dev.execserver.cli.Command;
import dev.execserver.cli.Console;
import dev.execserver.cli.ExitStatus;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.config.SpellingHint;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Parses the arguments of one command with picocli and runs it. It is a separate class because the JVM's verifier loads
 * the exceptions that a class catches: {@link Program} stays free of picocli and starts faster.
 */
record PicocliRun(Command command, List<Command> commands, Console console, String operatingSystem) {
    /** @return the exit status */
    int run(String... arguments) {
        CommandLine commandLine = HelpText.configure(new CommandLine(command.spec()), command, commands);
        ParseResult parsed = parse(commandLine, arguments);
        if (commandLine.isUsageHelpRequested()) {
            // Set the separator only now: the parser also accepts --name=VALUE, but the documents use a space.
            return print(commandLine.setSeparator(" ").getUsageMessage(Ansi.OFF));
        }
        if (commandLine.isVersionHelpRequested()) {
            return print(HelpText.version());
        }
        if (!operatingSystem.equals(Program.LINUX)) {
            throw ConfigException.failure("exec-server runs on Linux only (this is %s)".formatted(operatingSystem));
        }
        return command.run(parsed, console);
    }

    private static ParseResult parse(CommandLine commandLine, String... arguments) {
        try {
            return commandLine.parseArgs(arguments);
        } catch (UnmatchedArgumentException e) {
            throw ConfigException.usage(unmatched(e, commandLine));
        } catch (ParameterException e) {
            throw ConfigException.usage(e.getMessage());
        }
    }

    /** Returns the error for the first unknown word. Picocli would also list everything after that word. */
    private static String unmatched(UnmatchedArgumentException e, CommandLine commandLine) {
        String first = e.getUnmatched().getFirst();
        if (!first.startsWith("-")) {
            return "unexpected argument `%s`".formatted(first);
        }
        String name = first.split("=", 2)[0];
        return "unknown option `%s`%s"
                .formatted(
                        name,
                        SpellingHint.hint(
                                name, commandLine.getCommandSpec().optionsMap().keySet()));
    }

    private int print(String text) {
        console.out().print(text);
        return console.finish(ExitStatus.OK);
    }
}
