package dev.execserver.server.app;

import dev.execserver.protocol.app.CommandExecResult;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.session.Session;
import dev.execserver.server.transport.exec.CommandAccess;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Command of an HTTP request. One thread waits for it and closes it; another one writes input. */
final class HttpCommand implements CommandAccess.Running {

    private final CommandRun run;
    private final Command command;
    private final Session session;
    private final HttpClientSession client;
    private final boolean additions;

    /** @param additions true to write the members of a result that only this server has */
    HttpCommand(CommandRun run, Command command, Session session, HttpClientSession client, boolean additions) {
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
