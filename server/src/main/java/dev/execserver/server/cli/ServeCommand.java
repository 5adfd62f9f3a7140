package dev.execserver.server.cli;

import dev.execserver.cli.Command;
import dev.execserver.cli.Console;
import dev.execserver.cli.ExitStatus;
import dev.execserver.sandbox.linux.TerminalCalls;
import dev.execserver.server.config.Auth;
import dev.execserver.server.config.ConfigLoader;
import dev.execserver.server.config.ListenUrl;
import dev.execserver.server.config.Option;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.environment.ServerVersion;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Runs the server until it is told to end. The program runs this command if none is named. */
public final class ServeCommand implements Command {
    private static final int ERRORS = 2;

    private final Function<ServerConfig, ? extends RunningServer> starter;
    private final ConfigInspection inspection;

    /**
     * @param starter starts the server
     * @param check reads the files that a configuration names; throws {@code ConfigException} if one cannot be used
     */
    public ServeCommand(Function<ServerConfig, ? extends RunningServer> starter, Consumer<ServerConfig> check) {
        this.starter = starter;
        this.inspection = new ConfigInspection(check);
    }

    @Override
    public String name() {
        return "serve";
    }

    @Override
    public String summary() {
        return "Serve the exec-server protocol over a WebSocket or standard input and output.";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "Every option is also an environment variable (--max-processes: EXEC_SERVER_MAX_PROCESSES) and"
                        + " a line of the properties file (max-processes=100). The command line wins over the environment,"
                        + " the environment over the file.",
                "--check-config has the exit status and the error that a start with the same options would have.",
                "SIGHUP makes a server without a controlling terminal read its credentials again; a second SIGTERM or SIGINT"
                        + " ends the server at once.",
                "Exit status: 0, also after SIGTERM, SIGINT, and SIGHUP with a terminal; 1 for a failure; 2 when an option is unknown, its"
                        + " value is not of its kind, or two options contradict each other. A --listen URL that cannot be"
                        + " read, and --ws-... options that do not go together, have 1: launchers know these errors.");
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().name(Program.NAME + " [serve]");
        OptionTable.addTo(spec);
        ConfigInspection.addTo(spec);
        return spec;
    }

    @Override
    public OptionalInt runPlain(List<String> arguments, Console console) {
        return PlainArguments.read(arguments).stream()
                .mapToInt(given -> run(given, console))
                .findFirst();
    }

    @Override
    public int run(ParseResult arguments, Console console) {
        Map<Option<?>, String> given = OptionTable.given(arguments);
        return ConfigInspection.wanted(arguments) ? inspection.run(arguments, given, console) : run(given, console);
    }

    private int run(Map<Option<?>, String> given, Console console) {
        if (given.isEmpty() && TerminalCalls.isTerminal(ERRORS)) {
            console.note("exec-server serves until Ctrl-C; `exec-server --help` tells the other commands");
        }
        ConfigLoader.Loaded loaded = ConfigLoader.load(given, console.environment());
        Logging.configure(loaded.logLevel());
        // Make it only now: the first logger fixes the level.
        Logger log = LoggerFactory.getLogger(ServeCommand.class);
        ConfigLoader.misspelled(console.environment()).forEach(log::warn);
        ServerConfig config = loaded.server();
        SecretWarnings.of(config, loaded.file()).forEach(log::warn);
        try (RunningServer server = service(StartFailure.start(starter, config, log), config, console);
                SignalExit _ = SignalExit.arm(server)) {
            Hangup.reloads(server);
            announce(server, config, console, log);
            server.awaitStop();
            // Close while the hook is armed: a signal now must not change the exit status.
            server.close();
        }
        return ExitStatus.OK;
    }

    /** Returns a server that tells the service manager about itself, if one waits for that. */
    private static RunningServer service(RunningServer server, ServerConfig config, Console console) {
        if (config.listen().url() instanceof ListenUrl.Stdio) {
            return server; // its parent is its manager
        }
        return ServiceManager.of(console.environment())
                .<RunningServer>map(manager -> ServiceProcess.begin(server, manager))
                .orElse(server);
    }

    private static String words(Auth auth) {
        return switch (auth) {
            case Auth.None _ -> "no authentication";
            case Auth.TokenFile _, Auth.TokenDigest _ -> "a capability token";
            case Auth.SignedBearer _ -> "signed bearer tokens";
            case Auth.NamedClients _ -> "named clients";
        };
    }

    /**
     * Prints the URL. A launcher reads it from the first line of stdout to learn the port; nothing else is written
     * there.
     */
    private static void announce(RunningServer server, ServerConfig config, Console console, Logger log) {
        log.info(
                "exec-server {} on Java {} serves {} with {}; protocol {}",
                ServerVersion.text(),
                Runtime.version(),
                server.url(),
                words(config.listen().auth()),
                config.dialect().name().toLowerCase(Locale.ROOT));
        switch (config.listen().url()) {
            case ListenUrl.Stdio _ -> {}
            case ListenUrl.WebSocket _, ListenUrl.Unix _, ListenUrl.PassedSocket _ -> {
                console.out().print(server.url() + "\n");
                if (console.out().checkError()) { // checkError flushes
                    log.warn("standard output cannot be written; the server listens on {}", server.url());
                }
                if (config.listen().exitOnStdinClose()) {
                    StdinWatch.start(System.in, server::close);
                }
            }
        }
        if (config.listen().openToOthers()) {
            log.warn(
                    "listening on {} without authentication: whoever can reach this address can run programs here; "
                            + "use --ws-auth, or a loopback address",
                    server.url());
        }
    }
}
