package dev.execserver.server.app;

import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.methods.StartParamsChecks;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.session.Session;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Runs commands: start, output, end. Stateless; each command runs on the thread of its request, which waits for it.
 *
 * <p>The process layer keeps the output of each process until this thread has taken it, and holds the process when too
 * much waits.
 */
final class CommandRun {

    /** Name of a program that cannot be looked up, as the reference server calls it. */
    private static final String NO_PROGRAM = "missing program for %s spawn";

    private final CommandHost host;
    private final CommandStart start;

    CommandRun(CommandHost host) {
        this.host = host;
        this.start = new CommandStart(host);
    }

    /**
     * The client of a command.
     *
     * @param kept pays for the output that the answer will have
     * @param gone returns true if nobody waits for the answer any more
     * @param output gets streamed output; empty if it is not wanted
     */
    record Client(Session session, AnswerMemory kept, BooleanSupplier gone, Optional<CommandOutput> output) {}

    /** Reserves the process of a command. Reader thread. */
    Command reserve(Session session, String processId, CommandSpec spec) {
        StartParams draft = start.reserved(processId, spec);
        StartParamsChecks.check(draft);
        return new Command(spec, session.reserve(draft));
    }

    /** Checks that the profile of a command exists, when the command is refused for another reason. */
    void requireProfile(CommandSpec spec) {
        if (spec.confinement() instanceof Confinement.Named(String id)) {
            try {
                host.files().call(() -> {
                    host.profiles().refresh();
                    return host.profiles().find(id);
                });
            } catch (RpcException e) {
                throw CommandErrors.ofStart(spec, e);
            }
        }
    }

    /**
     * Starts a reserved command.
     *
     * @return false if it was terminated before it ran
     * @throws RpcException if it could not be started; nothing of it is left
     */
    boolean start(Command command, Session session) {
        return start(command, session, CommandErrors::ofStart);
    }

    /** Does the same as {@link #start(Command, Session)} with other errors. */
    boolean start(
            Command command,
            Session session,
            BiFunction<CommandSpec, RpcException, ? extends RuntimeException> translation) {
        ManagedProcess process = command.process();
        CommandSpec spec = command.spec();
        try {
            if (spec.argv().getFirst().isEmpty()) {
                throw spec.words().notStarted(NO_PROGRAM.formatted(spec.tty() ? "PTY" : "pipe"));
            }
            StartParams params = host.files().call(() -> start.complete(process.processId(), spec));
            host.starter().start(process, params);
            return true;
        } catch (RuntimeException e) {
            session.forget(process);
            process.failed();
            if (command.terminated()) {
                return false;
            }
            throw e instanceof RpcException told ? translation.apply(spec, told) : e;
        }
    }

    /**
     * Hands on the output of a started command until it has ended.
     *
     * @param over runs as soon as nothing more comes, before the end is returned
     * @return empty if nobody waits for the end any more
     */
    Optional<CommandEnd> toEnd(Command command, Client client, Consumer<Command> over) throws InterruptedException {
        ManagedProcess process = command.process();
        AnswerMemory pieces = new AnswerMemory(host.answers());
        boolean complete = false;
        try {
            process.readByServer();
            Optional<CommandEnd> end =
                    new CommandReader(command, client.output(), client.kept(), pieces, client.gone()).readToEnd();
            complete = end.isPresent();
            return end;
        } finally {
            pieces.release();
            over.accept(command);
            if (complete) {
                process.end().release();
            } else {
                process.end().discard();
            }
            client.session().forget(process);
        }
    }
}
