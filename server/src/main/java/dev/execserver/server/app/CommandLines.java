package dev.execserver.server.app;

import dev.execserver.protocol.app.CommandExecParams;
import dev.execserver.protocol.app.SpawnParams;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.ArgumentStyle;
import dev.execserver.server.rpc.Method.Call;

/** Describes commands in the access log. Stateless. */
final class CommandLines {

    private CommandLines() {}

    /** Adds the process of a command, by which the line of its exit names it. */
    static void reserved(Call call, Command command) {
        call.event()
                .ifPresent(event ->
                        event.put(AccessField.PROCESS, command.process().processId()));
    }

    static void exec(CommandExecParams params, AccessEvent event, ArgumentStyle arguments) {
        params.processId().ifPresent(id -> event.put(AccessField.COMMAND, id));
        params.cwd().ifPresent(cwd -> event.put(AccessField.WORKING_DIRECTORY, cwd));
        event.put(AccessField.INTERACTIVE, params.tty());
        arguments.put(event, params.command());
    }

    static void spawn(SpawnParams params, AccessEvent event, ArgumentStyle arguments) {
        event.put(AccessField.COMMAND, params.processHandle())
                .put(AccessField.WORKING_DIRECTORY, params.cwd().display())
                .put(AccessField.INTERACTIVE, params.tty());
        arguments.put(event, params.command());
    }
}
