package dev.execserver.server.app;

import dev.execserver.protocol.app.AppMethodNames;
import dev.execserver.protocol.app.CommandExecParams;
import dev.execserver.protocol.app.CommandFamily;
import dev.execserver.protocol.app.ProfileListResult;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.rpc.Method.Work;
import java.util.ArrayList;
import java.util.List;

/**
 * The methods of the app-server dialect.
 *
 * <p>Handlers reserve ids and queue input on the reader thread, so that calls about one command keep their order. A
 * command holds no turn of its connection's ordinary requests while it runs: it may run for hours.
 */
public final class AppMethods {

    private final CommandHost host;
    private final CommandRun run;

    public AppMethods(CommandHost host) {
        this.host = host;
        this.run = new CommandRun(host);
    }

    public List<Method<?>> methods() {
        List<Method<?>> rows = new ArrayList<>();
        rows.add(AppRows.row(AppMethodNames.EXEC, FloorRule.START, CommandExecParams::read, this::exec)
                .opening(_ -> AppRows.FOR_COMMAND)
                .audited(AccessKind.PROCESS_STARTED, CommandLines::exec));
        rows.addAll(new FollowUps(
                        CommandFamily.COMMAND, AppMethodNames.WRITE, AppMethodNames.RESIZE, AppMethodNames.TERMINATE)
                .methods());
        rows.addAll(new SpawnMethods(host, run).methods());
        rows.add(AppRows.row(AppMethodNames.PROFILES, FloorRule.TELL, (params, _) -> params, (_, _) -> this::profiles));
        return rows;
    }

    private Work exec(Call call, CommandExecParams params) {
        if (params.permissionProfile().isPresent()) {
            AppRows.requireExperimental(call, "command/exec.permissionProfile");
        }
        CommandChecks.combinations(params);
        CommandSpec spec = CommandChecks.spec(params, host.directories());
        Commands commands = AppRows.commands(call);
        Command command;
        try {
            CommandChecks.later(params).ifPresent(error -> {
                throw error;
            });
            spec.id().ifPresent(id -> commands.requireFree(spec.family(), id));
            command = run.reserve(call.session(), commands.nextName(spec.family()), spec);
            commands.add(command);
            CommandLines.reserved(call, command);
        } catch (RpcException later) {
            return () -> {
                run.requireProfile(spec); // an error of the profile comes first
                throw later;
            };
        }
        return () ->
                Answer.of(end(call, commands, command).result(host.dialect().open()));
    }

    private CommandEnd end(Call call, Commands commands, Command command) throws InterruptedException {
        boolean started = false;
        try {
            started = run.start(command, call.session());
        } finally {
            if (!started) {
                commands.remove(command);
            }
        }
        if (!started) {
            return CommandEnd.beforeStart();
        }
        CommandRun.Client client = new CommandRun.Client(
                call.session(), call.memory(), () -> AppRows.gone(call), AppRows.output(call, command.spec()));
        return run.toEnd(command, client, commands::remove)
                .orElseThrow(() -> RpcException.internal("the connection has ended"));
    }

    private Answer profiles() {
        return host.files().call(() -> {
            host.profiles().refresh();
            return Answer.of(new ProfileListResult(host.profiles().all().stream()
                    .map(profile -> new ProfileListResult.Row(profile.id(), profile.description(), true))
                    .toList()));
        });
    }
}
