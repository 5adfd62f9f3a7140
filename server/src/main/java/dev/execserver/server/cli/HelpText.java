package dev.execserver.server.cli;

import dev.execserver.cli.Command;
import dev.execserver.server.environment.ServerVersion;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Makes the texts of {@code --help} and {@code --version}, and sets picocli up in the same way for all commands. */
final class HelpText {
    private static final int WIDTH = 100;

    private HelpText() {}

    static CommandLine configure(CommandLine commandLine, Command command, List<Command> commands) {
        commandLine.getCommandSpec().addOption(helpOption()).addOption(versionOption());
        commandLine.getCommandSpec().interpolateVariables(false);
        UsageMessageSpec usage = commandLine.getCommandSpec().usageMessage();
        usage.description(command.summary())
                .sortOptions(false)
                .width(WIDTH)
                .abbreviateSynopsis(true)
                .footer(footer(command, commands));
        // Picocli would read a file for an argument that starts with "@", and so change the meaning of the argument.
        return commandLine.setExpandAtFiles(false);
    }

    static String version() {
        return "%s %s%nJava %s (%s)%n%s %s %s%n"
                .formatted(
                        Program.NAME,
                        ServerVersion.text(),
                        Runtime.version(),
                        System.getProperty("java.vendor"),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("os.arch"));
    }

    /**
     * Returns the text after the options. For the first command, whose help is also that of the program, it lists all
     * commands.
     */
    private static String[] footer(Command command, List<Command> commands) {
        Stream<String> list = command == commands.getFirst() ? Stream.of(list(commands)) : Stream.empty();
        return Stream.concat(list, command.notes().stream().map(note -> "%n" + note.replace("%", "%%")))
                .toArray(String[]::new);
    }

    private static String list(List<Command> commands) {
        String first = commands.getFirst().name();
        StringBuilder list = new StringBuilder("%nCommands (`" + first + "` when none is named):");
        commands.forEach(command ->
                list.append("%n  ").append("%-7s ".formatted(command.name())).append(command.summary()));
        return list.append("%n`" + Program.NAME + " COMMAND --help` says more about one.")
                .toString();
    }

    private static OptionSpec helpOption() {
        return OptionSpec.builder("--help", "-h")
                .usageHelp(true)
                .description("Print this text.")
                .build();
    }

    private static OptionSpec versionOption() {
        return OptionSpec.builder("--version", "-V")
                .versionHelp(true)
                .description("Print the versions of the program, Java and the system.")
                .build();
    }
}
