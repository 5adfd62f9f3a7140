package dev.execserver.server.app;

import dev.execserver.protocol.app.AppMethodNames;
import dev.execserver.protocol.app.CommandFamily;
import dev.execserver.protocol.app.SpawnParams;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.rpc.Method.Work;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The methods {@code process/spawn} and its siblings: commands without a sandbox that are answered at their start. A
 * virtual thread for each command reads its output and reports its end.
 */
final class SpawnMethods {

    private static final Logger LOG = LoggerFactory.getLogger(SpawnMethods.class);

    private final CommandHost host;
    private final CommandRun run;

    SpawnMethods(CommandHost host, CommandRun run) {
        this.host = host;
        this.run = run;
    }

    List<Method<?>> methods() {
        List<Method<?>> rows = new ArrayList<>();
        rows.add(
                AppRows.row(AppMethodNames.SPAWN, FloorRule.START, (params, _) -> SpawnParams.read(params), this::spawn)
                        .opening(_ -> AppRows.FOR_COMMAND)
                        .audited(AccessKind.PROCESS_STARTED, CommandLines::spawn));
        rows.addAll(new FollowUps(
                        CommandFamily.SPAWN, AppMethodNames.WRITE_STDIN, AppMethodNames.RESIZE_PTY, AppMethodNames.KILL)
                .methods());
        return rows;
    }

    private Work spawn(Call call, SpawnParams params) {
        AppRows.requireExperimental(call, AppMethodNames.SPAWN);
        CommandChecks.spawn(params);
        CommandSpec spec = CommandChecks.spec(params);
        Commands commands = AppRows.commands(call);
        commands.requireFree(spec.family(), params.processHandle());
        Command command = run.reserve(call.session(), commands.nextName(spec.family()), spec);
        commands.add(command);
        CommandLines.reserved(call, command);
        return () -> {
            boolean started = false;
            try {
                started = run.start(command, call.session());
            } finally {
                if (!started) {
                    commands.remove(command);
                }
            }
            boolean runs = started;
            // the end must not be sent before this answer
            return Answer.empty()
                    .then(() -> Threads.virtual("spawned", () -> {
                        if (runs) {
                            follow(call, commands, command);
                        } else {
                            report(call, command, CommandEnd.beforeStart(), new AnswerMemory(host.answers()));
                        }
                    }));
        };
    }

    private void follow(Call call, Commands commands, Command command) {
        AnswerMemory kept = new AnswerMemory(host.answers());
        boolean reported = false;
        try {
            CommandRun.Client client = new CommandRun.Client(
                    call.session(), kept, () -> AppRows.gone(call), AppRows.output(call, command.spec()));
            var end = run.toEnd(command, client, commands::remove);
            reported = end.isPresent();
            end.ifPresent(how -> report(call, command, how, kept));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("the end of a spawned process cannot be reported: {}", e.toString());
        } finally {
            if (!reported) {
                kept.release();
            }
        }
    }

    /** Sends the end; the connection releases the memory. */
    private static void report(Call call, Command command, CommandEnd end, AnswerMemory memory) {
        if (!AppRows.client(call).wants(AppMethodNames.SPAWN_EXITED)) {
            memory.release();
            return;
        }
        MessageBuffer out = new MessageBuffer(memory);
        end.exited(command.spec().id().orElseThrow()).encode(out, System.currentTimeMillis());
        call.connection().outbound().send(out, memory);
    }
}
