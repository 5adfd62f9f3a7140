package dev.execserver.server.app;

import dev.execserver.protocol.app.CommandExecResult;
import dev.execserver.protocol.app.CommandSize;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.session.Session;
import dev.execserver.server.transport.exec.CommandAccess;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Command of an HTTP request. One thread waits for it and closes it; another one writes input. */
final class HttpCommand implements CommandAccess.Running {

    /** SIGKILL, see signal(7). */
    private static final int KILL = 9;

    private final CommandRun run;
    private final Command command;
    private final Session session;
    private final HttpClientSession client;
    private final boolean additions;
    private final AccessLog log;

    /** @param additions true to write the members of a result that only this server has */
    HttpCommand(
            CommandRun run,
            Command command,
            Session session,
            HttpClientSession client,
            boolean additions,
            AccessLog log) {
        this.log = log;
        this.run = run;
        this.command = command;
        this.session = session;
        this.client = client;
        this.additions = additions;
    }

    @Override
    public boolean write(byte[] bytes) throws InterruptedException {
        boolean open = command.process().awaitStdinRoom(bytes.length);
        if (open) {
            command.write(Optional.of(bytes), false);
        }
        return open;
    }

    @Override
    public void endInput() throws InterruptedException {
        if (command.spec().streamStdin() && command.process().awaitStdinRoom(Command.END_BYTES)) {
            command.write(Optional.empty(), true);
        }
    }

    @Override
    public void signal(int number) {
        if (log.on()) {
            log.write(AccessEvent.of(AccessKind.PROCESS_SIGNALLED)
                    .session(session.id())
                    .put(AccessField.PROCESS, command.process().processId())
                    .put(AccessField.SIGNAL, Integer.toString(number)));
        }
        if (number == KILL) {
            command.terminate(0);
        } else {
            command.process().signal(number, false);
        }
    }

    @Override
    public void resize(int columns, int rows) throws InterruptedException {
        command.resize(command.process().processId(), new CommandSize(rows, columns));
    }

    @Override
    public void abandon() {
        client.lost(session);
    }

    @Override
    public Optional<CommandExecResult> toEnd(CommandAccess.Output output, AnswerMemory memory, BooleanSupplier gone)
            throws InterruptedException {
        Optional<CommandOutput> receiver = command.spec().streamOutput() ? Optional.of(output::send) : Optional.empty();
        CommandRun.Client waiting =
                new CommandRun.Client(session, memory, () -> gone.getAsBoolean() || session.ended(), receiver);
        return run.toEnd(command, waiting, _ -> {}).map(end -> end.result(additions));
    }

    @Override
    public void close() {
        client.lost(session);
        client.answered();
    }
}
