package dev.execserver.server;

import dev.execserver.cli.Command;
import dev.execserver.cli.Console;
import dev.execserver.cli.ConsoleOutput;
import dev.execserver.cli.client.ClientCommand;
import dev.execserver.sandbox.limits.ControlGroups;
import dev.execserver.sandbox.spawn.OrphanReaper;
import dev.execserver.server.cli.ClosedStreams;
import dev.execserver.server.cli.CompletionCommand;
import dev.execserver.server.cli.DoctorCommand;
import dev.execserver.server.cli.ExecPolicyCommand;
import dev.execserver.server.cli.McpCommand;
import dev.execserver.server.cli.Program;
import dev.execserver.server.cli.SandboxCommand;
import dev.execserver.server.cli.SchemaCommand;
import dev.execserver.server.cli.ServeCommand;
import dev.execserver.server.cli.admin.AdminCommand;
import dev.execserver.server.cli.wrapper.ExecveWrapperCommand;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.environment.ServerEnvironment;
import dev.execserver.server.environment.Utf8Restart;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Program {@code exec-server}. The JVM's main thread waits here until the command is done. The exit status is 0, or 1
 * for a failure ({@code Error: ...} on stderr), or 2 for wrong usage; {@code run} adds that of the remote program.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Console console = new Console(ConsoleOutput.standard(), System.err, ServerEnvironment.read());
        Utf8Restart.ifNeeded().or(ClosedStreams::complaint).ifPresent(complaint -> {
            console.error(complaint);
            System.exit(1);
        });
        Program program = new Program(commands(), console, System.getProperty("os.name"));
        System.exit(program.run(args));
    }

    static List<Command> commands() {
        List<Command> commands = new ArrayList<>();
        commands.add(new ServeCommand(Main::serve, ConfigurationCheck::check));
        commands.addAll(ClientCommand.ALL);
        commands.add(new SandboxCommand());
        commands.add(new DoctorCommand(ConfigurationCheck::check));
        commands.add(new ExecPolicyCommand());
        commands.add(new SchemaCommand());
        commands.add(new McpCommand(Main::mcp));
        commands.add(new ExecveWrapperCommand());
        commands.add(new AdminCommand());
        commands.add(new CompletionCommand(Main::commands));
        return commands;
    }

    /**
     * Starts a stand-alone server. {@link ExecServer} does not do these steps: compilers, heap, control group and orphans of an
     * embedding program belong to that program.
     */
    private static ExecServer serve(ServerConfig config) {
        return standAlone(() -> ExecServer.start(config));
    }

    private static ExecServer mcp(ServerConfig config) {
        return standAlone(() -> ExecServer.startMcp(config));
    }

    private static ExecServer standAlone(Supplier<ExecServer> start) {
        CompilerThreads.stepBack();
        TlsRenegotiation.refuse();
        ControlGroups.takeDelegated();
        ExecServer server = start.get();
        OrphanReaper.startIfInit();
        HeapCollector.start();
        return server;
    }
}
