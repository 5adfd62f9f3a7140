package dev.execserver.server.cli;

import dev.execserver.cli.Command;
import dev.execserver.cli.Console;
import dev.execserver.cli.ExitStatus;
import dev.execserver.server.config.ConfigLoader;
import dev.execserver.server.config.ListenUrl;
import dev.execserver.server.config.Mcp;
import dev.execserver.server.config.Option;
import dev.execserver.server.config.ServerConfig;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Serves one MCP client on standard input and output, until its input ends. */
public final class McpCommand implements Command {
    private final Function<ServerConfig, ? extends RunningServer> starter;

    public McpCommand(Function<ServerConfig, ? extends RunningServer> starter) {
        this.starter = starter;
    }

    @Override
    public String name() {
        return "mcp";
    }

    @Override
    public String summary() {
        return "Serve a shell tool to an MCP client over standard input and output.";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "Rules are also read from /etc/codex/rules and from the folder rules of CODEX_HOME, by default ~/.codex.",
                "Exit status: 0 at the end of the input, also after SIGTERM, SIGINT and SIGHUP; 1 for a failure; 2 for wrong"
                        + " usage.");
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().name(Program.NAME + " mcp");
        McpOptions.addTo(spec);
        return spec;
    }

    @Override
    public OptionalInt runPlain(List<String> arguments, Console console) {
        return McpOptions.plain(arguments).stream()
                .mapToInt(given -> run(given, console))
                .findFirst();
    }

    @Override
    public int run(ParseResult arguments, Console console) {
        return run(McpOptions.given(arguments), console);
    }

    private int run(Map<Option<?>, String> given, Console console) {
        ConfigLoader.Loaded loaded = ConfigLoader.load(given, console.environment());
        Logging.configure(loaded.logLevel());
        Logger log = LoggerFactory.getLogger(McpCommand.class); // the first logger fixes the level
        ServerConfig config = loaded.server().withListenUrl(new ListenUrl.Stdio());
        Mcp mcp = CodexFiles.added(config.mcp(), console.environment());
        try (RunningServer server = StartFailure.start(starter, config.withMcp(mcp), log);
                SignalExit _ = SignalExit.arm(server)) {
            server.awaitStop();
            server.close(); // while the hook is armed: a signal now must not change the exit status
        }
        return ExitStatus.OK;
    }
}
