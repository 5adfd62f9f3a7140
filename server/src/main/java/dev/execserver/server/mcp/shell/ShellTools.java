package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.mcp.ClientAccess;
import dev.execserver.server.mcp.ClientTraits;
import dev.execserver.server.mcp.OpenCall;
import dev.execserver.server.mcp.Toolbox;
import dev.execserver.server.sandbox.CommandProfile;
import dev.execserver.server.session.Session;
import dev.execserver.server.transport.auth.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The tools of one client. Its commands belong to a session of its own, which ends with the client. Threads of calls enter, and the
 * reader of the client.
 */
final class ShellTools implements Toolbox {
    private final ToolForm form;
    private final ClientSession client;
    private final Session session;
    private final SandboxState sandbox;
    private final ClientRoots roots;
    private final Commands commands;
    private final ShellTool shell;
    private final BackgroundCommands background;
    private final OutputTool output;
    private final AtomicLong lastCommand = new AtomicLong();

    ShellTools(ShellServices services, ClientTraits traits, ClientAccess access) {
        form = services.form();
        client = new ClientSession(
                access.subject(),
                new ExecQuestions(access, services::escalates, services.form().reasons()));
        session = services.sessions().create(traits.name(), client, Optional.of(Duration.ZERO));
        if (services.access().on()) {
            services.access()
                    .write(AccessEvent.of(AccessKind.SESSION_STARTED)
                            .session(session.id())
                            .put(AccessField.CLIENT_NAME, traits.name()));
        }
        sandbox = new SandboxState(
                () -> Subject.rights(access.subject())
                        .floor()
                        .map(floor -> CommandProfile.of(floor.permissions()))
                        .orElseGet(services.profile()),
                form);
        roots = new ClientRoots(access);
        commands = new Commands(services, session, client, sandbox);
        shell = new ShellTool(commands, services.memory(), form);
        background = new BackgroundCommands(commands, services.memory());
        output = new OutputTool(services.files());
    }

    @Override
    public JsonSlice list() {
        return form.tools();
    }

    @Override
    public JsonWritable call(String tool, JsonSlice arguments, OpenCall call) throws InterruptedException {
        if (tool.equals("shell")) {
            return shell(ShellArguments.read(arguments), call);
        }
        if (!form.background()) {
            throw form.unknownTool(tool);
        }
        return ToolResult.of(
                switch (tool) {
                    case "shell_output" -> {
                        OutputArguments wanted = OutputArguments.read(arguments);
                        yield output.run(background.find(wanted.id()), wanted, call);
                    }
                    case "shell_input" -> {
                        InputArguments input = InputArguments.read(arguments);
                        yield InputTool.run(background.find(input.id()), input);
                    }
                    case "shell_list" -> list(background.all());
                    case "shell_kill" -> {
                        KillTool.Arguments kill = KillTool.Arguments.read(arguments);
                        yield KillTool.run(background.find(kill.id()), kill);
                    }
                    default -> throw form.unknownTool(tool);
                });
    }

    private static JsonWritable list(List<BackgroundCommand> commands) {
        return g -> {
            g.writeStartObject();
            g.writeFieldName("commands");
            JsonFields.values(g, commands);
            g.writeEndObject();
        };
    }

    private JsonWritable shell(ShellArguments given, OpenCall call) throws InterruptedException {
        ShellArguments arguments = form.background() ? given : given.plain();
        String id = "c" + lastCommand.incrementAndGet();
        if (!arguments.background()) {
            return form.ended(shell.run(spec(id, arguments, defaultTimeout(arguments)), roots, call));
        }
        BackgroundCommand command = background.start(spec(id, arguments, arguments.timeoutMs()), roots, call);
        return ToolResult.of(g -> {
            g.writeStartObject();
            command.writeState(g);
            g.writeEndObject();
        });
    }

    private OptionalLong defaultTimeout(ShellArguments arguments) {
        return arguments.timeoutMs().isPresent()
                ? arguments.timeoutMs()
                : OptionalLong.of(commands.usualTimeoutMs(ShellArguments.DEFAULT_TIMEOUT_MS));
    }

    private static CommandSpec spec(String id, ShellArguments arguments, OptionalLong timeoutMs) {
        return new CommandSpec(
                id,
                arguments.command(),
                arguments.workdir(),
                arguments.login(),
                timeoutMs,
                arguments.background(),
                arguments.tty());
    }

    @Override
    public void updateSandbox(JsonSlice params) {
        sandbox.update(params);
    }

    @Override
    public void rootsChanged() {
        roots.changed();
    }

    /** Ends the session, and so every command. */
    @Override
    public void close() {
        session.connectionLost(client);
        commands.close();
        background.close();
    }
}
