package dev.execserver.cli.client;

import java.util.List;
import java.util.Locale;

/** Options of the client commands. */
enum ClientOption {
    SERVER("NAME", "Server of this name in ~/.config/exec-server/config.", "-H"),
    URL(
            "URL",
            "Server to connect to, `ws://HOST:PORT`, `wss://HOST:PORT` or `unix:PATH`; or the environment variable EXEC_SERVER_URL."
                    + " `ssh:USER@HOST` and `docker:NAME` start one there for this command."),
    TOKEN_FILE(
            "PATH", "File with the bearer token for the server; or the environment variable EXEC_SERVER_TOKEN_FILE."),
    TOKEN_COMMAND("COMMAND", "Command for a shell here that writes the bearer token; run for each connection."),
    SERVER_PROGRAM("PATH", "The exec-server that ssh: and docker: start. Default: the one in the PATH there."),
    CA_FILE(
            "PATH",
            "PEM file of the authority that has signed the certificate of a wss:// server; or the environment variable"
                    + " EXEC_SERVER_CA_FILE. Default: the authorities that Java trusts."),
    SESSION("ID", "The session; `run --verbose` tells it."),
    TAKEOVER("", "Take the session even from a client that is alive, which then ends."),
    TTY("", "Run the program on a terminal. The default when standard input and output are terminals.", "-t"),
    NO_TTY("", "Run the program with pipes; stdout and stderr are kept apart."),
    INTERACTIVE("", "Forward the input, which is the default; for those who are used to -it.", "-i"),
    NO_INPUT("", "Give the program no input, as in a loop that reads its own.", "-n"),
    SHELL("", "Let a shell of the server run the words, as ssh does: `run --shell 'make; make test'`."),
    CWD(
            "DIR",
            "Working directory on the server; a relative path begins where the server was started, which is the default.",
            "-w"),
    ENV(
            "NAME[=VALUE]",
            "Set a variable on top of the server's environment, without a value to the one that it has here; may be given several"
                    + " times.",
            true,
            "-e"),
    USER("NAME", "Refused: a program runs as the user of the server.", "-u"),
    PROFILE(
            "JSON|FILE|NAME",
            "Permission profile, as text, in a file here (written with a slash), or the name of one of the server: the program"
                    + " runs in a sandbox of the server. Default: none."),
    EXEC_RULES(
            "FILE",
            "Rules for the programs that the program executes, in a file here; may be given several times. What they ask about"
                    + " is asked on the terminal; without one it is denied.",
            true),
    TRACE_EXEC(
            "", "Show at the end which programs were executed, with times, refusals and exit codes of escalated ones."),
    TIMEOUT("TIME", "End the program after this time: a number with ms, s, m or h."),
    SESSION_TTL("TIME", "How long the program goes on without a connection; the server says the default and the most."),
    ESCAPE(
            "KEY|none",
            "Key before those of this program on a terminal: KEY d leaves the program running, KEY q ends it, KEY ? is help, KEY"
                    + " KEY sends it. Default: ctrl-]."),
    VERBOSE("", "Tell session and process on stderr."),
    SIGNAL("NAME", "Send this signal to the process group instead of killing the process."),
    GRACE("TIME", "Send TERM, and kill only what is still there after this time."),
    RECURSIVE("", "Copy directories with everything below them.", "-r"),
    NAME("TEXT", "A name for the session, by which `ps`, `logs` and `wait` find it."),
    DETACH("", "Start the program, print the id of its session, and leave it running, without input.", "-d"),
    WAIT_FOR_PORT(
            "PORT", "With --detach: come back when a program listens on this TCP port, in the network of the program."),
    ALL("", "Show also programs that have ended, and sessions without any.", "-a"),
    IDS("", "Show ids only: SESSION/PROCESS_ID.", "-q"),
    FORMAT("table|json", "The form: a table, or one JSON object for each session and line."),
    FOLLOW("", "Go on until the program has ended.", "-f"),
    TAIL("LINES", "Begin with about so many of the last lines instead of all that is kept.", "-n"),
    TEXT("TEXT", "Wait until the output contains this text, instead of the end of the program."),
    REGEX("PATTERN", "Wait until the output contains a match."),
    IDLE("TIME", "Wait until the program has written nothing for so long."),
    PORT("PORT", "Wait until a program listens on this TCP port, in the network of the program."),
    LIMIT("TIME", "Wait no longer than this."),
    QUIET("", "Show no progress. It is shown only when standard error is a terminal.", "-q");

    private final String placeholder;
    private final String meaning;
    private final boolean repeatable;
    private final String shortName;

    ClientOption(String placeholder, String meaning) {
        this(placeholder, meaning, false, "");
    }

    ClientOption(String placeholder, String meaning, boolean repeatable) {
        this(placeholder, meaning, repeatable, "");
    }

    ClientOption(String placeholder, String meaning, String shortName) {
        this(placeholder, meaning, false, shortName);
    }

    ClientOption(String placeholder, String meaning, boolean repeatable, String shortName) {
        this.placeholder = placeholder;
        this.meaning = meaning;
        this.repeatable = repeatable;
        this.shortName = shortName;
    }

    /** Returns one or two names, as on the command line. */
    List<String> names() {
        return shortName.isEmpty() ? List.of(longName()) : List.of(shortName, longName());
    }

    String longName() {
        return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the name of its value; empty for an option without one. */
    String placeholder() {
        return placeholder;
    }

    boolean flag() {
        return placeholder.isEmpty();
    }

    boolean repeatable() {
        return repeatable;
    }

    String meaning() {
        return meaning;
    }
}
