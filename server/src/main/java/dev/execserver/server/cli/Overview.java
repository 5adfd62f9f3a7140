package dev.execserver.server.cli;

import dev.execserver.cli.Command;
import java.util.List;

/** Makes the text of {@code exec-server --help}: the commands, and where to read on. It fits on a screen. Stateless. */
final class Overview {
    private static final String BEGIN = """
            exec-server runs programs on a machine for clients elsewhere, and is such a client too.

            Usage: exec-server [COMMAND] [OPTIONS]     without a command: serve

            """;

    private static final String END = """

            A server for this user:  exec-server --listen ws://127.0.0.1:4000
            A program on it:         exec-server run --url ws://127.0.0.1:4000 -- ls -l

            exec-server COMMAND --help   says more about one command
            exec-server --help-all       lists all options of the server
            exec-server --version        tells the versions
            """;

    private Overview() {}

    static String text(List<Command> commands) {
        StringBuilder text = new StringBuilder(BEGIN).append("On a server:\n");
        append(commands.stream().filter(Command::remote).toList(), text);
        text.append("\nOn this machine:\n");
        append(commands.stream().filter(command -> !command.remote()).toList(), text);
        return text.append(END).toString();
    }

    private static void append(List<Command> commands, StringBuilder text) {
        commands.forEach(command -> text.append("  %-15s %s%n".formatted(command.name(), command.summary())));
    }
}
