package dev.execserver.cli.client;

import dev.execserver.cli.Command;
import dev.execserver.cli.Console;
import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Client command. The classes behind it are loaded only if it is run: starting a server needs none of them. */
public record ClientCommand(String name, String summary, List<String> notes) implements Command {
    static final String RUN = "run";
    static final String PS = "ps";
    static final String KILL = "kill";
    static final String ATTACH = "attach";
    static final String COPY = "cp";
    static final String LOGS = "logs";
    static final String WAIT = "wait";

    private static final String SERVER_NOTE =
            "EXEC_SERVER_URL, EXEC_SERVER_TOKEN_FILE and EXEC_SERVER_CA_FILE stand in for --url, --token-file and"
                    + " --ca-file.";
    private static final String FOUND_NOTE =
            "PROCESS is the name or the id of a session, or the begin of an id, as `ps` shows it; with /PROCESS_ID behind it where"
                    + " the session has several.";
    private static final String STATUS_NOTE =
            "Exit status: 0; 1 for a failure; 2 when the command is written wrongly; 255"
                    + " without a connection or session.";

    public static final List<Command> ALL = List.of(
            new ClientCommand(
                    RUN,
                    "Run a program on a server as if it ran here.",
                    "On a terminal Ctrl-] d leaves the program running, Ctrl-] q ends it, Ctrl-] ? tells the keys.",
                    SERVER_NOTE,
                    "Exit status: that of the program; 127 when there is none of this name and 126 when it cannot be"
                            + " executed; 1 for other failures; 2 when the command is written wrongly; 141 when nobody reads"
                            + " the output; 255 without a connection or session."),
            new ClientCommand(
                    PS,
                    "List sessions and their processes, or the processes of one session.",
                    "Without --session: what runs in all sessions that you may see, as `docker ps` does; the client of none is"
                            + " disturbed.",
                    SERVER_NOTE,
                    STATUS_NOTE),
            new ClientCommand(
                    LOGS, "Show the output of a process, and change nothing.", FOUND_NOTE, SERVER_NOTE, STATUS_NOTE),
            new ClientCommand(
                    WAIT,
                    "Wait until a process has ended, or until it has written something, is silent or listens on a port.",
                    FOUND_NOTE,
                    SERVER_NOTE,
                    "Exit status: that of the program. With a condition 0 when it came true, 1 when it did not; 2 when the"
                            + " command is written wrongly; 255 without a connection."),
            new ClientCommand(
                    KILL,
                    "Kill a process and wait for its end, or signal it.",
                    FOUND_NOTE,
                    SERVER_NOTE,
                    "Exit status: 0; 1 for a failure; 2 when the command is written wrongly; 3 when the server was told to kill it"
                            + " and does not say if it has ended; 255 without a connection or session."),
            new ClientCommand(
                    ATTACH,
                    "Go on with a process of a session, or look at one that another client has.",
                    FOUND_NOTE,
                    "A session that another client has is only looked at, and shows the end of its output first; --takeover takes"
                            + " it, and that client ends.",
                    "On a terminal Ctrl-] d leaves, and the program goes on; Ctrl-] q ends it. Without one SIGINT goes to the program; any other"
                            + " end leaves it running, that of a reader of the output included.",
                    SERVER_NOTE,
                    "Exit status: that of the program; 0 after Ctrl-] d; 1 for a failure; 2 when the command is written"
                            + " wrongly; 129 after SIGHUP, 143 after SIGTERM, 130 after SIGINT when the program goes on; 141"
                            + " when nobody reads the output; 255 without a connection or session."),
            new ClientCommand(
                    COPY,
                    "Copy files and directories between here and a server.",
                    "A path on the server has a colon in front: :/srv/data, :~/notes below its home directory, :src below"
                            + " the directory in which the server was started. A target that is a directory is copied"
                            + " into. - is standard input or output. A local name that begins with a colon is written"
                            + " ./:name; one that is not UTF-8 is written as a file: URI.",
                    "Modes are kept, links are followed. A file appears when it is complete, and a copy that is broken"
                            + " off leaves none.",
                    SERVER_NOTE,
                    "Exit status: 0; 1 when something could not be copied, and the rest was; 2 when the command is written"
                            + " wrongly; 130 when it was interrupted; 255 without a connection."));

    private ClientCommand(String name, String summary, String... notes) {
        this(name, summary, List.of(notes));
    }

    @Override
    public boolean remote() {
        return true;
    }

    @Override
    public CommandSpec spec() {
        return PicocliArguments.spec("exec-server " + name, ClientRun.usage(name));
    }

    /** Returns true for copies: names of files may be any bytes, other arguments are text. */
    @Override
    public boolean takesAnyBytes() {
        return name.equals(COPY);
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
        return new ClientRun(target -> RemoteHosts.connect(target, console), StandardStreams.open(), console)
                .run(name, arguments);
    }
}
