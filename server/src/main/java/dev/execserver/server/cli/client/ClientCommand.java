package dev.execserver.server.cli.client;

import dev.execserver.server.cli.Command;
import dev.execserver.server.cli.Console;
import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One client command. Its classes are loaded when it is the one to run: starting a server needs none of them. */
public record ClientCommand(String name, String summary) implements Command {
    static final String RUN = "run";
    static final String PS = "ps";
    static final String KILL = "kill";
    static final String ATTACH = "attach";

    public static final List<Command> ALL = List.of(
            new ClientCommand(RUN, "Run a program on a server as if it ran here."),
            new ClientCommand(PS, "List the processes of a session."),
            new ClientCommand(KILL, "Kill or signal a process of a session."),
            new ClientCommand(ATTACH, "Take over a session and go on with one of its processes."));

    @Override
    public CommandSpec spec() {
        return PicocliArguments.spec("exec-server " + name, ClientRun.usage(name));
    }

    @Override
    public OptionalInt runPlain(List<String> arguments, Console console) {
        return Arguments.read(ClientRun.usage(name), arguments).stream()
                .mapToInt(given -> start(given, console))
                .findFirst();
    }

    @Override
    public int run(ParseResult arguments, Console console) {
        return start(PicocliArguments.given(ClientRun.usage(name), arguments), console);
    }

    private int start(Arguments arguments, Console console) {
        return new ClientRun(RemoteHosts::connect, new StandardStreams(), console).run(name, arguments);
    }
}
