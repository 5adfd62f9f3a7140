package dev.execserver.server.cli;

import dev.execserver.server.config.ConfigException;
import dev.execserver.server.config.Spelling;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Parses the arguments of one command with picocli and runs it. A class of its own because the JVM's verifier loads the
 * exceptions that a class catches: {@link Program} stays free of picocli and starts faster.
 */
record PicocliRun(Command command, List<Command> commands, Console console, String operatingSystem) {
    /** @return the exit status */
    int run(String... arguments) {
        CommandLine commandLine = HelpText.configure(new CommandLine(command.spec()), command, commands);
        ParseResult parsed = parse(commandLine, arguments);
        if (commandLine.isUsageHelpRequested()) {
            // Only now: --name=VALUE is understood as well, but the documents write it with a space.
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

    /** Picocli would list everything behind the first word that it does not know, too. */
    private static String unmatched(UnmatchedArgumentException e, CommandLine commandLine) {
        String first = e.getUnmatched().getFirst();
        if (!first.startsWith("-")) {
            return "unexpected argument `%s`".formatted(first);
        }
        String name = first.split("=", 2)[0];
        return "unknown option `%s`%s"
                .formatted(
                        name,
                        Spelling.hint(
                                name, commandLine.getCommandSpec().optionsMap().keySet()));
    }

    private int print(String text) {
        console.out().print(text);
        return console.finish(ExitStatus.OK);
    }
}
