package dev.execserver.server.app;

import dev.execserver.protocol.app.CommandExecParams;
import dev.execserver.protocol.app.SpawnParams;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.ArgumentStyle;

/** Describes commands in the access log. Stateless. */
final class CommandLines {

    private CommandLines() {}

    static void exec(CommandExecParams params, AccessEvent event, ArgumentStyle arguments) {
        params.processId().ifPresent(id -> event.put(AccessField.PROCESS, id));
        params.cwd().ifPresent(cwd -> event.put(AccessField.WORKING_DIRECTORY, cwd));
        event.put(AccessField.INTERACTIVE, params.tty());
        arguments.put(event, params.command());
    }

    static void spawn(SpawnParams params, AccessEvent event, ArgumentStyle arguments) {
        event.put(AccessField.PROCESS, params.processHandle())
                .put(AccessField.WORKING_DIRECTORY, params.cwd().display())
                .put(AccessField.INTERACTIVE, params.tty());
        arguments.put(event, params.command());
    }
}
